import Foundation

/// A request's line as reports print it: no query, no identifiers.
enum RouteTemplate {
    /// "PATCH /files/*" for PATCH https://host/files/u3?x=1: from the second segment on, all are "*".
    static func line(method: String, url: URL) -> String {
        let segments = url.path(percentEncoded: true).split(separator: "/")
        guard let first = segments.first else { return "\(method) /" }
        return "\(method) /\(first)" + String(repeating: "/*", count: segments.count - 1)
    }
}
