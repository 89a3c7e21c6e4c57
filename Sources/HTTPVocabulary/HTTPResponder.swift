/// The far end of the network: a server that takes requests piece by piece and answers when it likes.
///
/// The network calls it as bytes arrive; it answers through the exchange, now or at a later event.
package protocol HTTPResponder: AnyObject {
    /// Whether a new connection is taken now; a refused one is answered with a reset.
    var acceptsConnections: Bool { get }
    /// A request's head has arrived.
    func begin(_ exchange: any HTTPExchange)
    /// The next bytes of the body have arrived.
    func receive(_ bytes: [UInt8], of exchange: any HTTPExchange)
    /// The body is complete. Called once, also when there is no body.
    func end(_ exchange: any HTTPExchange)
    /// The connection broke before the response was handed over whole.
    func lost(_ exchange: any HTTPExchange)
}

extension HTTPResponder {
    /// Always.
    package var acceptsConnections: Bool { true }
}
