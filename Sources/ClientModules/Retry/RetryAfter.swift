import Foundation

/// The `Retry-After` field (RFC 9110, 10.2.3): how long a server wants to be left alone.
public enum RetryAfter: Equatable, Sendable {
    /// This long from now.
    case wait(Duration)
    /// Until a date on the server's clock, in seconds since 1970.
    case date(secondsSince1970: Int64)

    /// Reads a field value; nil when it is neither a count of seconds nor a date of HTTP.
    ///
    /// Counts beyond a thousand days are read as a thousand days, so that no sum overflows.
    public init?(_ value: String) {
        let text = value.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (48...57).contains($0) }) {
            self = .wait(.seconds(min(Int64(text) ?? .max, Self.longest)))
        } else if let date = HTTPDate.seconds(from: text, reference: Self.pivot) {
            self = .date(secondsSince1970: date)
        } else {
            return nil
        }
    }

    /// The wait that a response asks for; nil when it asks for none or is not readable.
    ///
    /// A date is compared with the response's own `Date` field, so the device's clock, which users
    /// set as they like, has no say. Only where the server sends no `Date` (RFC 9110, 6.6.1: an
    /// origin without a clock), `wallTime` stands in. A date in the past asks for nothing: zero.
    public static func wait(askedBy response: HTTPResponse, wallTime: Date) -> Duration? {
        wait(response[header: "Retry-After"], date: response[header: "Date"], wallTime)
    }

    /// The same for a response that is there as a whole.
    public static func wait(askedBy response: ScheduledResponse, wallTime: Date) -> Duration? {
        wait(response[header: "Retry-After"], date: response[header: "Date"], wallTime)
    }

    private static func wait(_ value: String?, date: String?, _ wallTime: Date) -> Duration? {
        guard let value, let parsed = RetryAfter(value) else { return nil }
        let device = Int64(wallTime.timeIntervalSince1970.rounded(.down))
        let stamp = date.flatMap { HTTPDate.seconds(from: $0, reference: device) }
        return parsed.wait(fromServerTime: stamp ?? device)
    }

    /// The wait from `serverTime`, in seconds since 1970; never negative.
    public func wait(fromServerTime serverTime: Int64) -> Duration {
        switch self {
        case .wait(let span):
            span
        case .date(let date):
            .seconds(min(max(0, date - serverTime), Self.longest))
        }
    }

    /// A thousand days, in seconds.
    private static let longest: Int64 = 86_400_000
    /// 2026-01-01: only decides the century of two-digit years in the obsolete format.
    private static let pivot: Int64 = 1_767_225_600
}
