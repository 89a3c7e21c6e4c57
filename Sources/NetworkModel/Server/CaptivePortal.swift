import HTTPVocabulary

/// What stands in for every host while a path is captive: a sign-in page for whoever asks in clear.
///
/// Plain text is answered with 200 and HTML, as after the redirect to the page that a client would
/// follow. Port 443 is refused with a reset, for a portal has no certificate for the host: clients
/// see `cannotConnectToHost`. Connections from before vanish as in a blackhole. The choice is ours;
/// portals differ.
final class CaptivePortal: HTTPResponder {
    private static let page = Array("<html><title>Sign in</title>Accept the terms</html>".utf8)

    func begin(_ exchange: any HTTPExchange) {}

    func receive(_ bytes: [UInt8], of exchange: any HTTPExchange) {}

    func end(_ exchange: any HTTPExchange) {
        exchange.respond(
            HTTPResponseMessage(
                status: 200,
                fields: HTTPFieldList([("Content-Type", "text/html")]),
                body: Self.page
            )
        )
    }

    func lost(_ exchange: any HTTPExchange) {}
}
