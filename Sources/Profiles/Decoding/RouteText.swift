/// Checks routes as profiles write them: `"POST /messages"`.
enum RouteText {
    /// The methods of RFC 9110 (section 9) and RFC 5789 that a client sends to a service.
    static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// A route at `key`; nil if absent or wrong, which is reported.
    static func read(_ reader: ObjectReader, key: String) -> String? {
        guard let text = reader.string(key) else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let remedy = "write a method and a path, such as \"POST /messages\""
        guard parts.count == 2, parts[1].hasPrefix("/") else {
            reader.fail(key, "\"\(text)\" is not a route", remedy: remedy)
            return nil
        }
        guard methods.contains(String(parts[0])) else {
            reader.fail(
                key,
                "\"\(parts[0])\" is not a method",
                remedy: NearestName.remedy(for: String(parts[0]), among: methods)
            )
            return nil
        }
        return text
    }
}
