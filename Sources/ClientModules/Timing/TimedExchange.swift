import Foundation

/// One exchange with an end: whatever has not come by the deadline is cancelled and counts as timed out.
struct TimedExchange: Sendable {
    let transport: any HTTPTransport
    let clock: any ClientClock
    /// Shortest proof of life after a change of the path (assumption).
    var grace: Duration = .seconds(5)

    /// Sends `request` and hands the response to `read`, which pulls as much of the body as it needs.
    ///
    /// The deadline is on the clock's scale; nil for none. The gauge, if there is one, can end the
    /// exchange before. Throws what the transport or the gauge threw, `URLError.timedOut` at the
    /// deadline, or `CancellationError` when the calling task was cancelled.
    func send<Result: Sendable>(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        deadline: Duration?,
        gauge: TransferGauge? = nil,
        read: @escaping @Sendable (HTTPResponse) async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                let response = try await transport.send(request, body: body) { bytes in
                    gauge?.advance(to: bytes)
                }
                return try await read(response)
            }
            if let deadline {
                group.addTask {
                    try await clock.sleep(until: deadline)
                    return nil
                }
            }
            if let gauge {
                group.addTask {
                    try await gauge.watch(grace: grace, clock: clock)
                    return nil
                }
            }
            defer { group.cancelAll() }
            // The first child to end decides; the others are cancelled and awaited.
            if let result = try await group.next() ?? nil { return result }
            try Task.checkCancellation()
            throw URLError(.timedOut)
        }
    }
}
