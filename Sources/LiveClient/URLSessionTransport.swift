import ClientModules
import Foundation
import SQLiteStore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// HTTP by URLSession.
///
/// A range of a file is read into memory when its request starts, up to `bufferLimit` (two chunks
/// of an uploader by default); a range that is a whole file streams from it at any size; a larger
/// part of a file throws `URLError.dataLengthExceedsMaximum`. That is because URLSession streams a
/// part only with chunked coding where it is not Apple's, and upload servers want a length.
///
/// Response bytes that the caller has not pulled wait in memory.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: URLSessionExchanges
    private let files: PosixFileStore
    private let bufferLimit: Int64

    /// Makes a transport with connections of its own.
    ///
    /// The configuration is ephemeral unless given: no cache answers for the server, no cookie is
    /// kept. `files` resolves the paths of request bodies.
    public init(
        configuration: URLSessionConfiguration = .ephemeral,
        files: PosixFileStore = PosixFileStore(),
        bufferLimit: Int64 = 16 << 20
    ) {
        delegate = URLSessionExchanges()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        self.files = files
        self.bufferLimit = bufferLimit
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends `request` and returns when the response's head is there.
    public func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        progress: (@Sendable (Int64) -> Void)?
    ) async throws -> HTTPResponse {
        var native = URLRequest(url: request.url)
        native.httpMethod = request.method
        let (seconds, attoseconds) = request.idleTimeout.components
        native.timeoutInterval = Double(seconds) + Double(attoseconds) / 1e18
        for header in request.headers {
            native.addValue(header.value, forHTTPHeaderField: header.name)
        }
        let task = try makeTask(native, body)
        let exchange = URLSessionExchange(task: task, progress: progress)
        delegate.register(exchange)
        return try await exchange.response()
    }

    private func makeTask(
        _ request: URLRequest,
        _ body: HTTPRequestBody
    ) throws -> URLSessionDataTask {
        switch body {
        case .none:
            return session.dataTask(with: request)
        case .data(let data):
            return session.uploadTask(with: request, from: data)
        case .file(let path, let range):
            guard range.count > bufferLimit else {
                return session.uploadTask(with: request, from: try read(path, range))
            }
            let found = try? files.metadata(of: path)
            guard range.lowerBound == 0, found?.size == range.upperBound else {
                throw URLError(.dataLengthExceedsMaximum)
            }
            let url = URL(fileURLWithPath: files.root + path)
            return session.uploadTask(with: request, fromFile: url)
        }
    }

    private func read(_ path: String, _ range: Range<Int64>) throws -> Data {
        do {
            let file = try files.open(path, create: false)
            defer { file.close() }
            var data = Data(count: range.count)
            let count = try data.withUnsafeMutableBytes { buffer in
                try file.read(into: buffer, at: range.lowerBound)
            }
            guard count == range.count else { throw URLError(.requestBodyStreamExhausted) }
            return data
        } catch FileStoreError.notFound {
            throw URLError(.fileDoesNotExist)
        } catch FileStoreError.notPermitted {
            throw URLError(.noPermissionsToReadFile)
        } catch is FileStoreError {
            throw URLError(.cannotOpenFile)
        }
    }
}
