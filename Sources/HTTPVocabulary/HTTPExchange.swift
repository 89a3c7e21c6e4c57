/// One request and the answer to it, as the server holds it.
package protocol HTTPExchange: AnyObject {
    /// Counted from one in a run; the same number as `RequestStart.request`.
    var number: Int64 { get }
    /// The request's head.
    var head: HTTPRequestHead { get }
    /// Sends the whole response; the exchange is over for the server. A second call does nothing.
    func respond(_ response: HTTPResponseMessage)
    /// Closes the connection without an answer, as a crashing server does.
    func abort()
}
