/// A point in simulated time, in whole nanoseconds since the world began.
///
/// A length of time is a `Duration`; the two never mix. The kernel orders events by this value.
public struct SimulationInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the world began; negative only in arithmetic.
    public let nanoseconds: Int64

    /// Makes the instant that lies `nanoseconds` after the beginning.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant at which every world begins.
    public static let zero = SimulationInstant(nanoseconds: 0)

    /// Later than anything that can be scheduled.
    public static let distantFuture = SimulationInstant(nanoseconds: .max)

    /// Orders instants by time.
    public static func < (left: SimulationInstant, right: SimulationInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The instant `span` later; saturates at the distant future.
    public static func + (instant: SimulationInstant, span: Duration) -> SimulationInstant {
        instant.advanced(byNanoseconds: span.wholeNanoseconds)
    }

    /// The instant that many nanoseconds later, for a span that is known as a number; saturates as `+` does.
    public func advanced(byNanoseconds span: Int64) -> SimulationInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(span)
        return overflow ? .distantFuture : SimulationInstant(nanoseconds: sum)
    }

    /// The instant `span` earlier.
    public static func - (instant: SimulationInstant, span: Duration) -> SimulationInstant {
        SimulationInstant(nanoseconds: instant.nanoseconds - span.wholeNanoseconds)
    }

    /// The length of time from the right instant to the left one.
    public static func - (later: SimulationInstant, earlier: SimulationInstant) -> Duration {
        .nanoseconds(later.nanoseconds - earlier.nanoseconds)
    }

    /// Moves the instant later by `span`.
    public static func += (instant: inout SimulationInstant, span: Duration) {
        instant = instant + span
    }
}

extension SimulationInstant: Codable {
    private enum CodingKeys: String, CodingKey {
        case nanoseconds
    }

    /// Reads a number of nanoseconds, or an object with the member `nanoseconds`, as it was written once.
    public init(from decoder: any Decoder) throws {
        if let plain = try? decoder.singleValueContainer().decode(Int64.self) {
            self.init(nanoseconds: plain)
            return
        }
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(nanoseconds: try members.decode(Int64.self, forKey: .nanoseconds))
    }

    /// Writes nothing but the number: a timeline has some ten thousand instants.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}

extension SimulationInstant: CustomStringConvertible {
    /// Seconds with as many decimals as it takes, such as `12.35 s`.
    public var description: String {
        (self - .zero).compactText
    }
}
