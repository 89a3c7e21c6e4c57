import Foundation

/// What kind of failure ended an attempt: all that decides whether another one is wise.
///
/// The question behind the classes is whether the server can have acted. A lost acknowledgement
/// looks like a lost request, so only an idempotent request may follow an `ambiguous` end.
public enum FailureClass: String, Sendable, CaseIterable, Codable {
    /// There is no route: nothing left the device, and nothing will until the path changes.
    case offline
    /// No connection came about, or a gateway in between answered: the server cannot have acted.
    case connectFail
    /// The exchange broke or timed out under way: the server may have acted.
    case ambiguous
    /// The server is short of capacity and turned the request away unread (408, 425, 429, 503).
    case throttle
    /// The server failed while it worked on the request (other 5xx): it may have acted.
    case server
    /// The request is wrong (4xx, 501, 505, a bad address): the same one will fail again.
    case client
    /// The caller took the request back.
    case cancelled

    /// Whether the server can have acted on a request that ended so.
    public var mayHaveActed: Bool {
        switch self {
        case .ambiguous, .server, .cancelled: true
        case .offline, .connectFail, .throttle, .client: false
        }
    }

    /// Whether the same request can succeed later.
    public var isTransient: Bool {
        switch self {
        case .offline, .connectFail, .ambiguous, .throttle, .server: true
        case .client, .cancelled: false
        }
    }

    /// Whether the way to the server failed, so that a new path is a reason to try at once.
    public var isOfThePath: Bool {
        switch self {
        case .offline, .connectFail, .ambiguous: true
        case .throttle, .server, .client, .cancelled: false
        }
    }
}

extension FailureClass {
    /// The class of a status code (RFC 9110, 15; RFC 6585); nil for a success (2xx).
    ///
    /// - 408, 425, 429 and 503 say by definition that the request was not processed.
    /// - A redirect that the transport did not follow, and 511, are what a captive portal answers
    ///   to a client that it has not let in: another party spoke, not the server.
    /// - 421 was the wrong connection, not the wrong request.
    public init?(status: Int) {
        switch status {
        case 200..<300: return nil
        case 300..<400, 421, 511: self = .connectFail
        case 408, 425, 429, 503: self = .throttle
        case 501, 505: self = .client
        case 500...: self = .server
        default: self = .client
        }
    }

    /// The class of a transport error.
    ///
    /// A timeout counts as `ambiguous` even if it may have struck before the request left: nothing
    /// in `URLError` tells the two apart. So does a code that is not known here.
    public init(_ error: URLError) {
        switch error.code {
        case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive:
            self = .offline
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .secureConnectionFailed,
            .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .redirectToNonExistentLocation, .httpTooManyRedirects:
            self = .connectFail
        case .cancelled, .userCancelledAuthentication:
            self = .cancelled
        case .badURL, .unsupportedURL, .fileDoesNotExist, .fileIsDirectory,
            .noPermissionsToReadFile, .appTransportSecurityRequiresSecureConnection,
            .clientCertificateRejected, .clientCertificateRequired,
            .userAuthenticationRequired, .requestBodyStreamExhausted:
            self = .client
        default:
            self = .ambiguous
        }
    }

    /// The class of whatever a transport threw: `URLError`, a cancelled task, or something unknown.
    public init(thrown error: any Error) {
        switch error {
        case let error as URLError: self.init(error)
        case is CancellationError: self = .cancelled
        default: self = .ambiguous
        }
    }
}
