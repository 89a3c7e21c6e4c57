import Foundation

/// An instant as a database keeps it: readings of both clocks, and the boot that the monotonic one counts from.
///
/// Within a boot the monotonic clock tells the time that has passed, whatever became of the wall
/// clock. After a reboot only the wall clock is left.
struct StoredInstant: Sendable, Equatable {
    /// Names the boot.
    var boot: String
    /// The monotonic clock, in nanoseconds.
    var monotonic: Int64
    /// The wall clock, in milliseconds since 1970.
    var wall: Int64

    /// Reads both clocks.
    init(_ clock: any ClientClock) {
        boot = clock.bootIdentifier
        monotonic = clock.now.nanosecondsRounded
        wall = Int64((clock.wallTime.timeIntervalSince1970 * 1_000).rounded())
    }

    /// Restores a stored instant.
    init(boot: String, monotonic: Int64, wall: Int64) {
        self.boot = boot
        self.monotonic = monotonic
        self.wall = wall
    }

    /// Time from this instant to now; never negative.
    func age(by clock: any ClientClock) -> Duration {
        let now = StoredInstant(clock)
        let span: Duration =
            now.boot == boot
            ? .nanoseconds(now.monotonic - monotonic) : .milliseconds(now.wall - wall)
        return max(.zero, span)
    }

    /// The instant on the monotonic clock of this boot at which the age is `span`.
    func reaches(_ span: Duration, by clock: any ClientClock) -> Duration {
        clock.now + span - age(by: clock)
    }
}

extension Duration {
    /// Whole nanoseconds, truncated.
    var nanosecondsRounded: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
