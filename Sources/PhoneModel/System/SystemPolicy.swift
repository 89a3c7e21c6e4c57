import Quantities

/// What an operating system grants an app that its person does not look at, as data.
///
/// Files under `profiles/os` hold the figures, each with its source or marked as an assumption.
package struct SystemPolicy: Equatable, Sendable {
    /// The name of its file, such as "ios-17".
    package var name: String
    /// From out of sight to suspended.
    package var suspension: SuspensionPolicy
    /// Time to refresh, asked for beforehand.
    package var refresh: WindowPolicy
    /// Time for long work, asked for beforehand.
    package var processing: WindowPolicy
    /// Pushes that nobody sees.
    package var push: PushPolicy
    /// Transfers that the system owns.
    package var transfers: TransferPolicy
    /// What a swipe away forbids.
    package var forceQuit: ForceQuitPolicy
    /// What the person's saving forbids.
    package var saving: SavingPolicy
    /// Doze; nil where there is none.
    package var doze: DozePolicy?
    /// App Standby buckets and the quota of jobs; nil where there are none.
    package var standby: StandbyPolicy?

    /// Makes a policy.
    package init(
        name: String,
        suspension: SuspensionPolicy,
        refresh: WindowPolicy,
        processing: WindowPolicy,
        push: PushPolicy,
        transfers: TransferPolicy,
        forceQuit: ForceQuitPolicy,
        saving: SavingPolicy,
        doze: DozePolicy? = nil,
        standby: StandbyPolicy? = nil
    ) {
        self.name = name
        self.suspension = suspension
        self.refresh = refresh
        self.processing = processing
        self.push = push
        self.transfers = transfers
        self.forceQuit = forceQuit
        self.saving = saving
        self.doze = doze
        self.standby = standby
    }
}

/// From out of sight to suspended.
package struct SuspensionPolicy: Equatable, Sendable {
    /// How long an app runs on that asked for nothing.
    package var after: Duration
    /// How long one runs on that asked for time to finish; zero where nobody is given any.
    package var finishing: Duration
    /// Whether the sockets of a suspended process are closed.
    package var closesSockets: Bool
    /// Whether a process that holds a lock on a file as it is suspended is killed.
    package var killsForLocks: Bool

    /// Makes a policy.
    package init(after: Duration, finishing: Duration, closesSockets: Bool, killsForLocks: Bool) {
        self.after = after
        self.finishing = finishing
        self.closesSockets = closesSockets
        self.killsForLocks = killsForLocks
    }
}

/// Windows of time that an app asks for and is given when the system likes.
package struct WindowPolicy: Equatable, Sendable {
    /// How long one is; drawn from the seed.
    package var length: QuantityRange<Duration>
    /// Requests that may wait at a time.
    package var pending: Int
    /// From when one could be given to when it is; drawn from the seed.
    package var delay: QuantityRange<Duration>
    /// What has to hold for one to be given.
    package var needs: Set<Need>
    /// What becomes of an app that has not ended its window in time.
    package var overrun: Overrun
    /// From the end of a window to the app's death for it.
    package var grace: Duration
    /// The first wait and the longest, doubling, after a window that failed; nil asks for no other.
    package var retry: Backoff?

    /// A condition of the phone.
    package enum Need: String, Sendable, CaseIterable {
        /// It is plugged in.
        case charging
        /// Its screen is off.
        case idle
    }

    /// What becomes of an app whose time is over.
    package enum Overrun: String, Sendable, CaseIterable {
        /// It is suspended where it stands.
        case suspend
        /// It is killed.
        case kill
    }

    /// Waits that double.
    package struct Backoff: Equatable, Sendable {
        /// The first.
        package var base: Duration
        /// The longest.
        package var ceiling: Duration

        /// Makes waits.
        package init(base: Duration, ceiling: Duration) {
            self.base = base
            self.ceiling = ceiling
        }

        /// The wait after the `failures`-th failure, counted from one.
        package func wait(after failures: Int) -> Duration {
            min(ceiling, base * (1 << min(max(0, failures - 1), 40)))
        }
    }

    /// Makes a policy.
    package init(
        length: QuantityRange<Duration>,
        pending: Int,
        delay: QuantityRange<Duration>,
        needs: Set<Need> = [],
        overrun: Overrun,
        grace: Duration = .zero,
        retry: Backoff? = nil
    ) {
        self.length = length
        self.pending = pending
        self.delay = delay
        self.needs = needs
        self.overrun = overrun
        self.grace = grace
        self.retry = retry
    }
}

/// Pushes that wake an app without showing anything.
package struct PushPolicy: Equatable, Sendable {
    /// How long the app may work for one.
    package var window: Duration
    /// Pushes that may come at once, and how long one takes to be earned back.
    package var normal: Allowance
    /// As `normal`, of high priority.
    package var high: Allowance
    /// Whether one of normal priority waits while the phone dozes.
    package var waitsInDoze: Bool
    /// What becomes of an app that goes on after its window.
    package var overrun: WindowPolicy.Overrun
    /// How long the radio is in use for one.
    package var radio: Duration

    /// A bucket that fills with time.
    package struct Allowance: Equatable, Sendable {
        /// What it holds.
        package var burst: Int
        /// Time for one more; nil for no limit at all.
        package var refill: Duration?

        /// Makes an allowance.
        package init(burst: Int, refill: Duration?) {
            self.burst = burst
            self.refill = refill
        }
    }

    /// Makes a policy.
    package init(
        window: Duration,
        normal: Allowance,
        high: Allowance,
        waitsInDoze: Bool,
        overrun: WindowPolicy.Overrun,
        radio: Duration
    ) {
        self.window = window
        self.normal = normal
        self.high = high
        self.waitsInDoze = waitsInDoze
        self.overrun = overrun
        self.radio = radio
    }
}

/// Transfers that the system owns.
package struct TransferPolicy: Equatable, Sendable {
    /// Who carries one out.
    package var runsIn: Carrier
    /// From a transfer started out of sight until the system carries it out; drawn from the seed.
    package var discretion: QuantityRange<Duration>
    /// How long the app is given to take a result in.
    package var window: Duration
    /// Waits between tries that the network broke.
    package var retry: WindowPolicy.Backoff
    /// How long what is started after a relaunch out of sight waits: doubles with each; nil for no limit.
    package var limiter: Duration?

    /// Who carries a transfer out.
    package enum Carrier: String, Sendable, CaseIterable {
        /// A process of the system: it goes on whatever becomes of the app.
        case system
        /// A job in a process of the app, which the system starts for it and starts again.
        case job
    }

    /// Makes a policy.
    package init(
        runsIn: Carrier,
        discretion: QuantityRange<Duration>,
        window: Duration,
        retry: WindowPolicy.Backoff,
        limiter: Duration? = nil
    ) {
        self.runsIn = runsIn
        self.discretion = discretion
        self.window = window
        self.retry = retry
        self.limiter = limiter
    }
}

/// What a swipe away forbids.
package struct ForceQuitPolicy: Equatable, Sendable {
    /// Whether nothing but its person starts the app from then on.
    package var stopsBackgroundWork: Bool
    /// Whether transfers are taken back.
    package var cancelsTransfers: Bool

    /// Makes a policy.
    package init(stopsBackgroundWork: Bool, cancelsTransfers: Bool) {
        self.stopsBackgroundWork = stopsBackgroundWork
        self.cancelsTransfers = cancelsTransfers
    }
}

/// What the person's saving of power and data forbids.
package struct SavingPolicy: Equatable, Sendable {
    /// The system's own low-power measures begin below this level.
    package var batteryFloor: Probability
    /// Saving power, no windows are given and no silent push is heard.
    package var lowPowerStopsWindows: Bool
    /// Saving data, no windows are given over a network that costs money.
    package var lowDataStopsWindows: Bool
    /// Saving data, transfers wait for a network that costs nothing.
    package var lowDataDefersTransfers: Bool

    /// Makes a policy.
    package init(
        batteryFloor: Probability,
        lowPowerStopsWindows: Bool,
        lowDataStopsWindows: Bool,
        lowDataDefersTransfers: Bool
    ) {
        self.batteryFloor = batteryFloor
        self.lowPowerStopsWindows = lowPowerStopsWindows
        self.lowDataStopsWindows = lowDataStopsWindows
        self.lowDataDefersTransfers = lowDataDefersTransfers
    }
}
