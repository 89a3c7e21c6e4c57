import Foundation

/// One exchange with an end: whatever has not come by the deadline is cancelled and counts as timed out.
struct TimedExchange: Sendable {
    let transport: any HTTPTransport
    let clock: any ClientClock

    /// Sends `request` and hands the response to `read`, which pulls as much of the body as it needs.
    ///
    /// The deadline is on the clock's scale; nil for none. Throws what the transport threw,
    /// `URLError.timedOut` at the deadline, or `CancellationError` when the calling task was cancelled.
    func send<Result: Sendable>(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        deadline: Duration?,
        progress: (@Sendable (Int64) -> Void)? = nil,
        read: @escaping @Sendable (HTTPResponse) async throws -> Result
    ) async throws -> Result {
        guard let deadline else {
            return try await read(transport.send(request, body: body, progress: progress))
        }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await read(transport.send(request, body: body, progress: progress))
            }
            group.addTask {
                try await clock.sleep(until: deadline)
                return nil
            }
            defer { group.cancelAll() }
            // The first child to end decides; the other is cancelled and awaited.
            if let result = try await group.next() ?? nil { return result }
            try Task.checkCancellation()
            throw URLError(.timedOut)
        }
    }
}
