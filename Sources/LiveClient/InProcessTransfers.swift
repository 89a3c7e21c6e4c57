import ClientModules
import Foundation
import Synchronization

/// Transfers that this process carries out itself, where no system would: on servers, desktops, in tests.
///
/// They go on as long as the process lives, in front or not, and end with it: nothing is durable here, and the
/// next launch begins with none. Who uses the port as it is meant, as `ChunkedUploader` does, asks the server
/// then and goes on from what it has. What the network breaks is tried again, after the waits of `retry`, until
/// it is answered or taken back.
public final class InProcessTransfers: BackgroundTransfers {
    private struct State {
        var running: [String: (number: Int, task: Task<Void, Never>)] = [:]
        var results: [BackgroundTransferResult] = []
        var listeners: [Int: AsyncStream<BackgroundTransferResult>.Continuation] = [:]
        var count = 0
    }

    private let transport: any HTTPTransport
    private let clock: any ClientClock
    private let random: any ClientRandom
    private let retry: RetryPolicy
    private let folder: URL
    private let state = Mutex(State())

    /// Makes transfers over a transport; `folder` is for copies of parts that the transport sends as files only.
    ///
    /// Of `retry` the waits count, not its deadline or its number of attempts.
    public init(
        transport: any HTTPTransport = URLSessionTransport(),
        clock: any ClientClock = LiveClock(),
        random: any ClientRandom = LiveRandom(),
        retry: RetryPolicy = RetryPolicy(deadline: nil),
        folder: URL = FileManager.default.temporaryDirectory
    ) {
        self.transport = transport
        self.clock = clock
        self.random = random
        self.retry = retry
        self.folder = folder
    }

    /// Nobody stops them.
    public var timeLimit: Duration? { nil }

    /// Begins a transfer at once, unless one of this identifier is known.
    public func start(
        _ request: HTTPRequest,
        file: String,
        range: Range<Int64>,
        identifier: String
    ) async throws {
        state.withLock { state in
            guard state.running[identifier] == nil,
                !state.results.contains(where: { $0.identifier == identifier })
            else { return }
            state.count += 1
            let number = state.count
            let task = Task {
                await self.carryOut(request, file: file, range: range, identifier, number)
            }
            state.running[identifier] = (number, task)
        }
    }

    /// Identifiers of transfers that run, or whose result is not confirmed, sorted.
    public func pending() async -> [String] {
        state.withLock { state in
            (Array(state.running.keys) + state.results.map(\.identifier)).sorted()
        }
    }

    /// Takes a transfer back; nothing more is told of it.
    public func cancel(identifier: String) async {
        let task = state.withLock { state in
            state.results.removeAll { $0.identifier == identifier }
            return state.running.removeValue(forKey: identifier)?.task
        }
        task?.cancel()
    }

    /// Results that are not confirmed, then each as it comes.
    public func results() -> AsyncStream<BackgroundTransferResult> {
        let (stream, continuation) = AsyncStream<BackgroundTransferResult>.makeStream()
        let number = state.withLock { state in
            state.count += 1
            state.listeners[state.count] = continuation
            for result in state.results { continuation.yield(result) }
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }

    /// Forgets a result that was taken in.
    public func confirm(identifier: String) async {
        state.withLock { state in state.results.removeAll { $0.identifier == identifier } }
    }

    private func carryOut(
        _ request: HTTPRequest,
        file: String,
        range: Range<Int64>,
        _ identifier: String,
        _ number: Int
    ) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                let head = try await send(request, file: file, range: range)
                return end(identifier, number, .success(head))
            } catch {
                let error = error as? URLError ?? URLError(.unknown)
                guard FailureClass(error).isTransient else {
                    return end(identifier, number, .failure(error))
                }
                failures += 1
                let wait = retry.wait(beforeRetry: failures, random: random)
                try? await clock.sleep(for: wait)
            }
        }
    }

    /// The head of the answer, once its body was taken off the line.
    private func send(
        _ request: HTTPRequest,
        file: String,
        range: Range<Int64>
    ) async throws -> HTTPResponse {
        let response: HTTPResponse
        do {
            let body = HTTPRequestBody.file(path: file, range: range)
            response = try await transport.send(request, body: body, progress: nil)
        } catch let error as URLError where error.code == .dataLengthExceedsMaximum {
            let part = try copy(file, range)
            defer { try? FileManager.default.removeItem(at: part) }
            let body = HTTPRequestBody.file(
                path: part.path,
                range: 0..<(range.upperBound - range.lowerBound)
            )
            response = try await transport.send(request, body: body, progress: nil)
        }
        _ = try? await response.body()
        return HTTPResponse(status: response.status, headers: response.headers)
    }

    /// A part of a file as a file of its own.
    private func copy(_ file: String, _ range: Range<Int64>) throws -> URL {
        let part = folder.appendingPathComponent("onebar-part-\(UUID().uuidString)")
        do {
            let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
            defer { try? source.close() }
            guard FileManager.default.createFile(atPath: part.path, contents: nil) else {
                throw URLError(.cannotCreateFile)
            }
            let target = try FileHandle(forWritingTo: part)
            defer { try? target.close() }
            try source.seek(toOffset: UInt64(range.lowerBound))
            var left = range.upperBound - range.lowerBound
            while left > 0 {
                let piece = try source.read(upToCount: Int(min(left, 1 << 20))) ?? Data()
                guard !piece.isEmpty else { throw URLError(.requestBodyStreamExhausted) }
                try target.write(contentsOf: piece)
                left -= Int64(piece.count)
            }
            return part
        } catch {
            try? FileManager.default.removeItem(at: part)
            throw error as? URLError ?? URLError(.cannotOpenFile)
        }
    }

    private func end(
        _ identifier: String,
        _ number: Int,
        _ result: Result<HTTPResponse, URLError>
    ) {
        state.withLock { state in
            // Taken back, or begun anew under the same name.
            guard state.running[identifier]?.number == number else { return }
            state.running[identifier] = nil
            let told = BackgroundTransferResult(identifier: identifier, result: result)
            state.results.append(told)
            for (_, listener) in state.listeners.sorted(by: { $0.key < $1.key }) {
                listener.yield(told)
            }
        }
    }
}
