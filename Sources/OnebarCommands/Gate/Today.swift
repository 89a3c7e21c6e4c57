import Foundation

/// The date that known failures and archives go by.
enum Today {
    /// The day in UTC as YYYY-MM-DD; that of SOURCE_DATE_EPOCH if it is set (reproducible-builds.org).
    static func day(_ context: CommandContext) -> String { String(instant(context).prefix(10)) }

    /// The second in UTC, ISO 8601, such as 2026-11-30T08:15:00Z.
    static func instant(_ context: CommandContext) -> String {
        let epoch = context.environment["SOURCE_DATE_EPOCH"].flatMap { Double($0) }
        let date = epoch.map { Date(timeIntervalSince1970: $0) } ?? Date()
        return date.formatted(.iso8601)
    }
}
