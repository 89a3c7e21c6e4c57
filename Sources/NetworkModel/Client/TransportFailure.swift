/// Why an exchange failed below HTTP, in the words of a phone's URLSession.
///
/// The raw value is the name of the `URLError.Code`.
package enum TransportFailure: String, Error, Sendable, CaseIterable {
    /// Nothing arrived or was acknowledged for the request's idle time.
    ///
    /// Also: no connection within the connect time, or retransmissions given up. A blackhole ends
    /// here, for nobody says that packets vanish.
    case timedOut
    /// An open connection broke: the peer reset or closed it, or the phone's address went away.
    case networkConnectionLost
    /// The phone knows that it has no route: told at once, no packet is sent.
    case notConnectedToInternet
    /// The SYN was answered with a reset: nobody listens, or a portal refuses port 443.
    case cannotConnectToHost
    /// No name server answered, or the name does not exist.
    case dnsLookupFailed
    /// The client took the request back.
    case cancelled
}
