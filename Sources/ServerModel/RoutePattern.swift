/// A method and a path whose variable segments are stars: `PUT /likes/*`.
package struct RoutePattern: Hashable, Sendable, CustomStringConvertible {
    /// The method, in capitals.
    package let method: String
    /// The path's segments; a star matches any one that is not empty.
    package let segments: [String]

    /// Reads `"POST /messages"`; throws when it is not a method, a space and a path.
    package init(_ text: String) throws(RouteError) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty,
            parts[0].utf8.allSatisfy({ (65...90).contains($0) }), parts[1].hasPrefix("/"),
            !parts[1].contains("?")
        else {
            throw RouteError(
                text: text,
                problem: "is not a route",
                remedy: "write a method in capitals, a space and a path, such as \"POST /messages\""
            )
        }
        method = String(parts[0])
        segments = Self.split(String(parts[1]))
    }

    /// Whether a request of `method` for `path` (without query) is meant.
    package func matches(method: String, path: String) -> Bool {
        method == self.method && matches(path: path)
    }

    /// Whether `path` is meant, whatever the method.
    package func matches(path: String) -> Bool {
        let parts = Self.split(path)
        return parts.count == segments.count
            && zip(segments, parts).allSatisfy { $0 == "*" ? !$1.isEmpty : $0 == $1 }
    }

    /// The pattern as it was written.
    package var description: String {
        "\(method) /\(segments.joined(separator: "/"))"
    }

    /// The segments of a path; none of "/".
    static func split(_ path: String) -> [String] {
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return parts == [""] ? [] : parts.map(String.init)
    }
}

/// Text that is not a route.
package struct RouteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was written.
    package let text: String
    /// What is wrong with it.
    package let problem: String
    /// What to write instead.
    package let remedy: String

    /// One sentence for the person who wrote it.
    package var description: String {
        "'\(text)' \(problem) (\(remedy))"
    }
}
