/// A reading of a wall clock: nanoseconds since 1970-01-01 00:00 UTC, leap seconds not counted.
///
/// Wall clocks jump and drift, so no event is ever scheduled by one.
public struct WallInstant: Comparable, Hashable, Sendable, Codable {
    /// Nanoseconds since the beginning of 1970, UTC.
    public let nanosecondsSince1970: Int64

    /// Makes a reading.
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// What true wall clocks show as a world begins: Monday, 2026-01-05 08:00:00 UTC (a choice).
    public static let worldBegins = WallInstant(
        nanosecondsSince1970: 1_767_600_000_000_000_000
    )

    /// Whole seconds since the beginning of 1970, rounded down.
    public var secondsSince1970: Int64 {
        let (quotient, remainder) =
            nanosecondsSince1970
            .quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Orders readings.
    public static func < (left: WallInstant, right: WallInstant) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }

    /// The reading `span` later.
    public static func + (reading: WallInstant, span: Duration) -> WallInstant {
        WallInstant(nanosecondsSince1970: reading.nanosecondsSince1970 + span.wholeNanoseconds)
    }

    /// The length of time from the right reading to the left one.
    public static func - (later: WallInstant, earlier: WallInstant) -> Duration {
        .nanoseconds(later.nanosecondsSince1970 - earlier.nanosecondsSince1970)
    }
}
