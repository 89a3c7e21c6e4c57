import ClientModules
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request of a session, from its start to the last byte of its response.
final class URLSessionExchange: Sendable {
    private struct State {
        var head: CheckedContinuation<HTTPResponse, any Error>?
        var isHeadHandedOver = false
        var chunks: [Data] = []
        var waiter: CheckedContinuation<Data?, any Error>?
        var end: Result<Void, URLError>?
    }

    let task: URLSessionDataTask
    private let progress: (@Sendable (Int64) -> Void)?
    private let state = Mutex(State())

    init(task: URLSessionDataTask, progress: (@Sendable (Int64) -> Void)?) {
        self.task = task
        self.progress = progress
    }

    /// Starts the task and returns its response's head; cancelling the caller cancels the task.
    func response() async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.head = continuation }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    func sent(_ bytes: Int64) {
        progress?(bytes)
    }

    func receivedHead(_ response: HTTPURLResponse) {
        let headers = response.allHeaderFields.compactMap { name, value -> HTTPHeader? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HTTPHeader(name, value)
        }
        let head = HTTPResponse(
            status: response.statusCode,
            headers: headers.sorted { $0.name < $1.name }
        ) { [self] in try await nextChunk() }
        let continuation = state.withLock { state in
            state.isHeadHandedOver = true
            return state.head.take()
        }
        continuation?.resume(returning: head)
    }

    func received(_ data: Data) {
        let waiter = state.withLock { state in
            if state.waiter == nil { state.chunks.append(data) }
            return state.waiter.take()
        }
        waiter?.resume(returning: data)
    }

    func ended(_ error: (any Error)?) {
        let end: Result<Void, URLError> =
            error.map { .failure(Self.transportError($0)) } ?? .success(())
        let (head, waiter) = state.withLock { state in
            state.end = end
            return (state.head.take(), state.waiter.take())
        }
        switch end {
        case .success:
            head?.resume(throwing: URLError(.badServerResponse))
            waiter?.resume(returning: nil)
        case .failure(let error):
            head?.resume(throwing: error)
            waiter?.resume(throwing: error)
        }
    }

    private func nextChunk() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ready: Result<Data?, any Error>? = state.withLock { state in
                    if !state.chunks.isEmpty { return .success(state.chunks.removeFirst()) }
                    switch state.end {
                    case .success: return .success(nil)
                    case .failure(let error): return .failure(error)
                    case nil:
                        state.waiter = continuation
                        return nil
                    }
                }
                if let ready { continuation.resume(with: ready) }
            }
        } onCancel: {
            task.cancel()
        }
    }

    /// What URLSession reports, as the port promises it: a `URLError`, whatever it was.
    private static func transportError(_ error: any Error) -> URLError {
        error as? URLError ?? URLError(.unknown)
    }
}

/// Hands the session's callbacks to the exchange that they belong to.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: URLSessionExchange]>([:])

    func register(_ exchange: URLSessionExchange) {
        exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent(totalBytesSent)
    }

    /// Follows redirects of GET and HEAD alone.
    ///
    /// Another method would change on the way (RFC 9110, 15.4), and a portal's page would pass for the
    /// server's answer: there the redirect itself is the answer.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isSafe = ["GET", "HEAD"].contains(task.originalRequest?.httpMethod)
        completionHandler(isSafe ? request : nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            exchange(of: dataTask)?.receivedHead(response)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.ended(error)
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }
}
