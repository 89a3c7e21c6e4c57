import HTTPVocabulary

/// Where in a request something is named, such as what its effect is known by.
package enum EffectField: Equatable, Sendable {
    /// A top-level member of the JSON body: a string, number, true or false.
    case json(String)
    /// A header field.
    case header(String)
    /// A segment of the path, counted from one: 2 of `/likes/p7` is `p7`.
    case segment(Int)

    /// What the request says there; nil when it says nothing.
    func read(_ head: HTTPRequestHead, body: [UInt8]) throws(JSONScanError) -> String? {
        switch self {
        case .json(let name):
            return try JSONMemberScanner.member(name, of: body)
        case .header(let name):
            return head.fields[name]
        case .segment(let number):
            let segments = RoutePattern.split(head.path)
            return segments.indices.contains(number - 1) ? segments[number - 1] : nil
        }
    }

    /// As a person would name the place.
    var placeText: String {
        switch self {
        case .json(let name): "the member \"\(name)\" of the JSON body"
        case .header(let name): "the header field \(name)"
        case .segment(let number): "segment \(number) of the path"
        }
    }
}

/// What a route does with `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07).
package enum IdempotencyRule: String, Sendable, CaseIterable {
    /// A request without a key is answered 400.
    case required
    /// A key is honoured where there is one.
    case honoured
    /// Keys are not looked at, as by a server that knows nothing of them.
    case ignored
}
