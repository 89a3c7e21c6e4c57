import Quantities

/// A phone's three clocks as functions of simulated time.
///
/// Continuous time always runs (mach_continuous_time, CLOCK_BOOTTIME), suspending time stops while
/// the device sleeps (mach_absolute_time, CLOCK_MONOTONIC), and wall time drifts and is set.
package struct DeviceClocks: Equatable, Sendable {
    /// How much faster than true time the wall clock runs, in parts per million; may be negative.
    package let skew: Int64
    /// What the wall clock is ahead of true time as the world begins.
    package let offset: Duration

    private var sleeps: [Sleep] = []
    private var jumps: [Jump] = []

    private struct Sleep: Equatable {
        var start: SimulationInstant
        var end: SimulationInstant?
        /// Time asleep before this sleep.
        var before: Duration
    }

    private struct Jump: Equatable {
        var instant: SimulationInstant
        /// All jumps up to and with this one.
        var sum: Duration
    }

    /// Makes clocks that start together, awake; traps at a skew beyond 10 %.
    package init(skewPartsPerMillion skew: Int64 = 0, offset: Duration = .zero) {
        precondition(abs(skew) <= 100_000, "a wall clock that is wrong by \(skew) ppm is broken")
        self.skew = skew
        self.offset = offset
    }

    /// Whether the device sleeps now, so that suspending time stands.
    package var isAsleep: Bool {
        sleeps.last.map { $0.end == nil } ?? false
    }

    /// The device falls asleep; does nothing if it sleeps, traps before the last change.
    package mutating func sleep(at instant: SimulationInstant) {
        guard !isAsleep else { return }
        let last = sleeps.last
        precondition(instant >= last?.end ?? .zero, "\(instant) comes before the last waking")
        let before = last.map { $0.before + (($0.end ?? $0.start) - $0.start) } ?? .zero
        sleeps.append(Sleep(start: instant, end: nil, before: before))
    }

    /// The device wakes up; does nothing if it is awake, traps before it fell asleep.
    package mutating func wake(at instant: SimulationInstant) {
        guard isAsleep else { return }
        let index = sleeps.count - 1
        precondition(instant >= sleeps[index].start, "\(instant) comes before the sleep")
        sleeps[index].end = instant
    }

    /// Someone sets the wall clock forward, or back if negative; traps before the last jump.
    package mutating func jump(by span: Duration, at instant: SimulationInstant) {
        precondition(
            instant >= jumps.last?.instant ?? .zero,
            "\(instant) comes before the last jump"
        )
        jumps.append(Jump(instant: instant, sum: (jumps.last?.sum ?? .zero) + span))
    }

    /// Time since the world began, asleep or awake.
    package func continuous(at instant: SimulationInstant) -> Duration {
        instant - SimulationInstant.zero
    }

    /// Time since the world began in which the device was awake; stands still in sleep.
    package func suspending(at instant: SimulationInstant) -> Duration {
        guard let sleep = Self.last(of: sleeps, notAfter: instant, by: \.start) else {
            return continuous(at: instant)
        }
        let end = min(sleep.end ?? instant, instant)
        return continuous(at: instant) - sleep.before - (end - sleep.start)
    }

    /// What the wall clock shows: true time, plus offset, drift and jumps so far.
    ///
    /// Drift is skew x time / 1,000,000, rounded toward zero.
    package func wall(at instant: SimulationInstant) -> WallInstant {
        let elapsed = continuous(at: instant)
        let drift = Int128(elapsed.wholeNanoseconds) * Int128(skew) / 1_000_000
        let jump = Self.last(of: jumps, notAfter: instant, by: \.instant)?.sum ?? .zero
        return .worldBegins + (elapsed + offset + .nanoseconds(Int64(drift)) + jump)
    }

    /// The instant at which suspending time reaches `reading` if nothing changes; nil in sleep.
    package func instant(whenSuspendingIs reading: Duration, from now: SimulationInstant)
        -> SimulationInstant?
    {
        guard !isAsleep else { return nil }
        return now + max(.zero, reading - suspending(at: now))
    }

    private static func last<Entry>(
        of entries: [Entry],
        notAfter instant: SimulationInstant,
        by key: KeyPath<Entry, SimulationInstant>
    ) -> Entry? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle][keyPath: key] <= instant { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? entries[low - 1] : nil
    }
}
