import ClientModules

/// Requests that a person waits for, one after another.
package struct PlainCall: Sendable {
    /// What is asked, each with the body that goes with it.
    package var requests: [(request: HTTPRequest, body: HTTPRequestBody)]

    /// Whether a person waits for the answers.
    package var isAwaited: Bool

    /// Makes a call.
    package init(requests: [(HTTPRequest, HTTPRequestBody)], isAwaited: Bool = true) {
        self.isAwaited = isAwaited
        self.requests = requests.map { ($0.0, $0.1) }
    }
}
