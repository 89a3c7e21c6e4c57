import Foundation

/// Transfers that the system owns: they go on while the app is suspended or dead.
///
/// Background URLSession on Apple systems; WorkManager or a user-initiated job on Android. The
/// result is delivered to whichever launch of the app is alive, or to the next one. The system tries
/// again by itself when the network breaks a transfer: the server may see the same request twice.
public protocol BackgroundTransfers: Sendable {
    /// How long one may run before the system stops it, to begin it again with its first byte; nil for no limit.
    ///
    /// Background URLSession: nil. A worker of WorkManager: 10 min.
    var timeLimit: Duration? { get }
    /// Hands a transfer to the system under a durable identifier; a known identifier is not started again.
    ///
    /// The body is `range` of the file, which must stay as it is. URLSession takes whole files: an
    /// implementation on it copies the range first. When this returns, the transfer is durable.
    func start(
        _ request: HTTPRequest,
        file: String,
        range: Range<Int64>,
        identifier: String
    ) async throws
    /// Identifiers that the system still works on, or whose result is not confirmed, sorted.
    func pending() async -> [String]
    /// Takes a transfer back; nothing more is told of it.
    func cancel(identifier: String) async
    /// Results as they are delivered; each is delivered again at the next launch until it is confirmed.
    func results() -> AsyncStream<BackgroundTransferResult>
    /// Tells the system that a result was taken in.
    func confirm(identifier: String) async
}

/// What became of a transfer that the system owned.
public struct BackgroundTransferResult: Sendable {
    /// The durable identifier it was started under.
    public var identifier: String
    /// The head that the server answered with, or the error that ended the transfer.
    public var result: Result<HTTPResponse, URLError>

    /// Makes a result.
    public init(identifier: String, result: Result<HTTPResponse, URLError>) {
        self.identifier = identifier
        self.result = result
    }
}
