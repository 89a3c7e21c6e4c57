import Foundation

/// Sends HTTP requests: URLSession in an app, the simulated network in the lab.
///
/// Both throw `URLError` and nothing else for what goes wrong below HTTP: `timedOut`,
/// `networkConnectionLost`, `notConnectedToInternet`, `cannotConnectToHost`, `dnsLookupFailed`,
/// `cancelled`. A status is never an error.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns when the response's head is there; the caller pulls the body.
    ///
    /// Cancelling the calling task aborts the exchange and throws `URLError.cancelled`.
    ///
    /// `progress` is told how many bytes of the body were handed to the socket so far. Those may never
    /// arrive: show progress from what the server confirms.
    func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        progress: (@Sendable (_ bytesHandedOver: Int64) -> Void)?
    ) async throws -> HTTPResponse
}
