import Quantities

/// Why a process was started.
package enum LaunchCause: String, Sendable, CaseIterable {
    case firstLaunch
    case relaunchAfterKill
    case userOpened
    case system
    case reboot
}

/// Why a process ended.
package enum ExitCause: String, Sendable, CaseIterable {
    /// A fault of the profile killed it.
    case injectedKill
    /// A fault of the profile: the user swiped it away.
    case forceQuit
    /// It broke its own memory cap.
    case memoryCap
    /// The system took it for memory while in the background.
    case systemKill
    /// It went on when its time in the background was over (0x8badf00d).
    case backgroundTimeOver
    /// It held a file lock while it was suspended (0xdead10cc).
    case lockHeldInSuspension
    /// Its code trapped.
    case crash
    /// The phone lost power.
    case powerLoss
    /// The run is over.
    case runEnded
}

/// What the app is to the system.
package enum AppState: String, Sendable, CaseIterable {
    case foreground
    case background
    case suspended
    case notRunning
}

/// What brought the application processor or modem out of sleep.
package enum WakeCause: String, Sendable, CaseIterable {
    case user
    case timer
    case network
    case push
    case job
}

/// Memory charged to the app at one instant, largest holder first.
package struct MemoryUse: Equatable, Sendable {
    /// The sum.
    package var total: ByteCount
    /// Who holds how much; by size, then by name.
    package var holders: [Holder]
    /// The level that the system signals.
    package var pressure: MemoryPressure

    /// One holder.
    package struct Holder: Equatable, Sendable {
        package var name: String
        package var size: ByteCount

        /// Makes a holder.
        package init(name: String, size: ByteCount) {
            self.name = name
            self.size = size
        }
    }

    /// Makes a reading.
    package init(total: ByteCount, holders: [Holder], pressure: MemoryPressure) {
        self.total = total
        self.holders = holders
        self.pressure = pressure
    }
}

/// How near to its cap the app is.
package enum MemoryPressure: String, Sendable, CaseIterable {
    case normal
    case warning
    case critical
}

/// Energy drawn outside the radio.
package struct EnergyEntry: Equatable, Sendable {
    /// What drew it.
    package var consumer: Consumer
    /// How much.
    package var energy: Energy
    /// On whose behalf, such as "outbox".
    package var owner: String

    /// The part of the phone.
    package enum Consumer: String, Sendable, CaseIterable {
        case cpu
        case flash
        case screen
        case base
    }

    /// Makes an entry.
    package init(consumer: Consumer, energy: Energy, owner: String) {
        self.consumer = consumer
        self.energy = energy
        self.owner = owner
    }
}

/// A stretch of one radio in one state, reported when it ends.
package struct RadioInterval: Equatable, Sendable {
    /// The radio's file name, such as "lte-2012-aro".
    package var radio: String
    /// When it began.
    package var start: SimulationInstant
    /// When it ended.
    package var end: SimulationInstant
    /// The state's name in the radio file, such as "DRX_SHORT".
    package var state: String
    /// What kind of state that is.
    package var kind: Kind
    /// Energy drawn in it, all owners together.
    package var energy: Energy
    /// Who pays which part: sums to `energy`; in order of owner number.
    package var shares: [Share]

    /// What a radio state is for.
    package enum Kind: String, Sendable, CaseIterable {
        case idle
        case promotion
        case active
        case tail
    }

    /// One owner's part.
    package struct Share: Equatable, Sendable {
        package var owner: String
        package var energy: Energy

        /// Makes a share.
        package init(owner: String, energy: Energy) {
            self.owner = owner
            self.energy = energy
        }
    }

    /// Makes an interval.
    package init(
        radio: String,
        start: SimulationInstant,
        end: SimulationInstant,
        state: String,
        kind: Kind,
        energy: Energy,
        shares: [Share]
    ) {
        self.radio = radio
        self.start = start
        self.end = end
        self.state = state
        self.kind = kind
        self.energy = energy
        self.shares = shares
    }
}

/// The path to the internet changed: another interface, another state, another phase.
package struct PathChange: Equatable, Sendable {
    /// The phase of the profile, such as "tunnel".
    package var phase: String
    /// "cellular", "wifi" or "none".
    package var interface: String
    /// What the path does with packets.
    package var condition: Condition
    /// Rate toward the phone, as it is now.
    package var down: BitRate
    /// Rate from the phone, as it is now.
    package var up: BitRate
    /// Whether the phone's address changed.
    package var addressChanged: Bool

    /// What a path does with packets.
    package enum Condition: String, Sendable, CaseIterable {
        case up
        /// No path, and the phone knows.
        case down
        /// Packets vanish, and nobody knows.
        case blackhole
        /// Connected, no internet: a portal answers.
        case captive
    }

    /// Makes a change.
    package init(
        phase: String,
        interface: String,
        condition: Condition,
        down: BitRate,
        up: BitRate,
        addressChanged: Bool
    ) {
        self.phase = phase
        self.interface = interface
        self.condition = condition
        self.down = down
        self.up = up
        self.addressChanged = addressChanged
    }
}
