import ClientModules

/// The system's transfers, of which it is not told that they are stopped after a time.
struct UnlimitedTransfers: BackgroundTransfers {
    private let base: any BackgroundTransfers

    init(_ base: any BackgroundTransfers) { self.base = base }

    var timeLimit: Duration? { nil }

    func start(
        _ request: HTTPRequest,
        file: String,
        range: Range<Int64>,
        identifier: String
    ) async throws {
        try await base.start(request, file: file, range: range, identifier: identifier)
    }

    func pending() async -> [String] { await base.pending() }

    func cancel(identifier: String) async { await base.cancel(identifier: identifier) }

    func results() -> AsyncStream<BackgroundTransferResult> { base.results() }

    func confirm(identifier: String) async { await base.confirm(identifier: identifier) }
}
