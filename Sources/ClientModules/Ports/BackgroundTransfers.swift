import Foundation

/// Transfers that the system owns: they go on while the app is suspended or dead.
///
/// Background URLSession on Apple systems; WorkManager or a user-initiated job on Android. The
/// result is delivered to whichever launch of the app is alive, or to the next one. The system tries
/// again by itself when the network breaks a transfer: the server may see the same request twice.
///
/// **A transfer that takes too long** would be begun again for ever, with its first byte each time. So one that
/// has run for `timeLimit` is given back as a failure with `URLError.timedOut`, and is not begun again: whoever
/// asked for it asks for less. JobScheduler tells the app as much (`onStopJob`, STOP_REASON_TIMEOUT; false as the
/// answer ends the job), and a worker of WorkManager learns it by `getStopReason`. One that was stopped for another
/// reason is begun again, unless it had run for more than half of the limit: then it is too large as well. Who
/// carries transfers out in jobs may give one back too that broke a few times, with the error that broke it.
public protocol BackgroundTransfers: Sendable {
    /// How long one may run before the system stops it and gives it back; nil for no limit.
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
    /// The head that the server answered with, or the error that ended the transfer: `timedOut` if it took too long.
    public var result: Result<HTTPResponse, URLError>

    /// Makes a result.
    public init(identifier: String, result: Result<HTTPResponse, URLError>) {
        self.identifier = identifier
        self.result = result
    }
}
