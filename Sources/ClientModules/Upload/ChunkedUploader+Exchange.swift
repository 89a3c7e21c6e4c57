import Foundation
import SQLiteStore

extension ChunkedUploader {
    /// What an exchange brought.
    enum Answer: Sendable {
        case response(HTTPResponse)
        case error(FailureClass)
        case taskCancelled
        /// The system stopped the transfer, which had run for as long as it may.
        case outOfTime
    }

    /// Sends the request of an action.
    func exchange(
        _ action: UploadAction,
        of session: inout UploadSession,
        wasRefused: Bool
    ) async -> Answer {
        let requests = TusRequests(idleTimeout: configuration.idleTimeout)
        let row = session.row
        let request: HTTPRequest
        var body = HTTPRequestBody.none
        switch action {
        case .create:
            session.progress.willCreate()
            request = requests.creation(
                at: configuration.endpoint,
                length: row.source.size,
                metadata: row.metadata,
                key: row.creationKey
            )
        case .query:
            guard let location = session.progress.location else { return .error(.client) }
            request = requests.query(location)
        case .append(let range):
            guard let location = session.progress.location else { return .error(.client) }
            do {
                let digest = configuration.sendsChecksums ? try digest(row.file, range) : nil
                request = requests.append(to: location, offset: range.lowerBound, sha1: digest)
            } catch {
                return .error(.connectFail)
            }
            body = .file(path: row.file, range: range)
            if let transfers {
                return await handOver(
                    request,
                    body,
                    of: row,
                    range: range,
                    wasRefused: wasRefused,
                    to: transfers
                )
            }
        case .finish:
            preconditionFailure("an upload that is finished has no request")
        }
        return await send(request, body, of: row, wasRefused: wasRefused)
    }

    /// The request with credentials, which may take a while: a file that is another one then is not sent.
    private func authorized(
        _ request: HTTPRequest,
        _ body: HTTPRequestBody,
        of row: UploadRow,
        wasRefused: Bool
    ) async throws -> HTTPRequest {
        guard let authorize = configuration.authorize else { return request }
        let authorized = try await authorize(request, wasRefused)
        if body != .none, try environment.files.metadata(of: row.file) != row.source {
            throw URLError(.requestBodyStreamExhausted)
        }
        return authorized
    }

    private func send(
        _ request: HTTPRequest,
        _ body: HTTPRequestBody,
        of row: UploadRow,
        wasRefused: Bool
    ) async -> Answer {
        let sequence = row.sequence
        let authorized: HTTPRequest
        do {
            authorized = try await self.authorized(request, body, of: row, wasRefused: wasRefused)
        } catch {
            return Task.isCancelled ? .taskCancelled : .error(.connectFail)
        }
        let clock = environment.clock
        let gauge = TransferGauge()
        gauges[sequence] = gauge
        // A chunk may take as long as it moves; what carries no body has no reason to.
        let limit = body == .none ? configuration.retry.attemptTimeout : nil
        do {
            let exchange = TimedExchange(transport: environment.transport, clock: clock)
            let response = try await exchange.send(
                authorized,
                body: body,
                deadline: limit.map { clock.now + $0 },
                gauge: gauge
            ) { $0 }
            return .response(response)
        } catch {
            guard !Task.isCancelled else { return .taskCancelled }
            let kind = FailureClass(thrown: error)
            // Cancelled by somebody else, such as the system: nothing says that it did not arrive.
            // What the file did, the next look at it tells better than a transport can.
            return .error(kind == .cancelled || kind == .client ? .ambiguous : kind)
        }
    }

    private func handOver(
        _ request: HTTPRequest,
        _ body: HTTPRequestBody,
        of row: UploadRow,
        range: Range<Int64>,
        wasRefused: Bool,
        to transfers: any BackgroundTransfers
    ) async -> Answer {
        let authorized: HTTPRequest
        do {
            authorized = try await self.authorized(request, body, of: row, wasRefused: wasRefused)
        } catch {
            return Task.isCancelled ? .taskCancelled : .error(.connectFail)
        }
        return await handOver(
            authorized,
            file: row.file,
            range: range,
            sequence: row.sequence,
            to: transfers
        )
    }

    /// Tells the server to drop an upload; once, and without looking at the answer.
    func terminate(_ location: URL) async {
        let requests = TusRequests(idleTimeout: configuration.idleTimeout)
        var request = requests.termination(location)
        do {
            if let authorize = configuration.authorize {
                request = try await authorize(request, false)
            }
            let clock = environment.clock
            let exchange = TimedExchange(transport: environment.transport, clock: clock)
            _ = try await exchange.send(
                request,
                body: .none,
                deadline: configuration.retry.attemptTimeout.map { clock.now + $0 }
            ) { $0.status }
        } catch {
            // Unreachable: the server's own expiry has to do.
        }
    }

    private func digest(_ path: String, _ range: Range<Int64>) throws -> [UInt8] {
        let file = try environment.files.open(path, create: false)
        defer { file.close() }
        var hash = SHA1()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
        defer { piece.deallocate() }
        var position = range.lowerBound
        while position < range.upperBound {
            let wanted = Int(min(Int64(piece.count), range.upperBound - position))
            let part = UnsafeMutableRawBufferPointer(rebasing: piece[0..<wanted])
            let count = try file.read(into: part, at: position)
            guard count > 0 else { throw FileStoreError.inputOutput }
            hash.update(UnsafeRawBufferPointer(rebasing: piece[0..<count]))
            position += Int64(count)
        }
        return hash.finish()
    }
}
