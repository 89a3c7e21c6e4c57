import ClientModules
import Foundation
import Synchronization

/// What a test's server says to a request.
enum Reply: Sendable {
    /// A response after a while.
    case answer(Int, [HTTPHeader] = [], body: String = "", after: Duration = .milliseconds(100))
    /// A broken exchange after a while.
    case fails(URLError.Code, after: Duration = .milliseconds(100))
    /// Silence.
    case never
}

/// A request as the server saw it.
struct SeenRequest: Sendable {
    var request: HTTPRequest
    var body: Data
    var at: Duration

    subscript(name: String) -> String? { request[header: name] }
}

/// Hands requests to a function that plays the server, and keeps a list of them.
final class FakeTransport: HTTPTransport {
    private struct State {
        var seen: [SeenRequest] = []
        var serve: @Sendable (SeenRequest, Int) -> Reply = { _, _ in .answer(200) }
    }

    private let state = Mutex(State())
    private let clock: ManualClock

    init(clock: ManualClock) {
        self.clock = clock
    }

    var seen: [SeenRequest] { state.withLock { $0.seen } }

    /// Sets the function that plays the server; its second argument counts requests from one.
    func serve(_ serve: @escaping @Sendable (SeenRequest, Int) -> Reply) {
        state.withLock { $0.serve = serve }
    }

    func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        progress: (@Sendable (Int64) -> Void)?
    ) async throws -> HTTPResponse {
        let seen = SeenRequest(request: request, body: try bytes(of: body), at: clock.now)
        let reply = state.withLock { state in
            state.seen.append(seen)
            return state.serve(seen, state.seen.count)
        }
        progress?(body.count)
        do {
            switch reply {
            case .answer(let status, let headers, let text, let span):
                try await clock.sleep(for: span)
                let rest = Mutex<Data?>(Data(text.utf8))
                return HTTPResponse(status: status, headers: headers) {
                    rest.withLock { $0.take() }
                }
            case .fails(let code, let span):
                try await clock.sleep(for: span)
                throw URLError(code)
            case .never:
                try await clock.sleep(for: .seconds(1_000_000_000))
                throw URLError(.timedOut)
            }
        } catch is CancellationError {
            throw URLError(.cancelled)
        }
    }

    private func bytes(of body: HTTPRequestBody) throws -> Data {
        switch body {
        case .none:
            return Data()
        case .data(let data):
            return data
        case .file(let path, let range):
            guard let handle = FileHandle(forReadingAtPath: path) else {
                throw URLError(.fileDoesNotExist)
            }
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(range.lowerBound))
            return try handle.read(upToCount: range.count) ?? Data()
        }
    }
}
