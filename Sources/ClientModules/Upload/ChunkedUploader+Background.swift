import Foundation
import SQLiteStore

/// Uploads that the system carries out: it takes the whole rest of a file in one request, or as much as
/// fits into the time that it gives a transfer.
///
/// The server's offset stays the truth: what the system reports is an answer like any other, and after
/// every failure the server is asked. So a result that is lost, or delivered twice, does no harm.
extension ChunkedUploader {
    /// The system's transfers, if they are to be used and there are any.
    var transfers: (any BackgroundTransfers)? {
        configuration.usesBackgroundTransfers ? environment.backgroundTransfers : nil
    }

    /// The name of the transfer of an upload from an offset on.
    static func transferIdentifier(_ sequence: Int64, from offset: Int64) -> String {
        "upload-\(sequence)-\(offset)"
    }

    /// Takes in what the system reports, for whoever waits for it.
    func watchTransfers() async {
        guard let transfers else { return }
        for await result in transfers.results() {
            arrived[result.identifier] = result.result
            if let waiting = awaited[result.identifier] {
                waiting.raise()
            } else if !isOfActiveUpload(result.identifier) {
                // Of an upload that was taken back, or has ended: nobody will ask for it.
                arrived[result.identifier] = nil
                await transfers.confirm(identifier: result.identifier)
            }
        }
    }

    /// Sends the rest of a file by the system; returns when the system has an answer.
    func handOver(
        _ request: HTTPRequest,
        file: String,
        range: Range<Int64>,
        sequence: Int64,
        to transfers: any BackgroundTransfers
    ) async -> Answer {
        let identifier = Self.transferIdentifier(sequence, from: range.lowerBound)
        do {
            if isShared { _ = try renew(sequence, for: Self.handOverSpan) }
            try await transfers.start(request, file: file, range: range, identifier: identifier)
        } catch {
            return Task.isCancelled ? .taskCancelled : .error(.connectFail)
        }
        let bytes = range.upperBound - range.lowerBound
        return await answer(of: identifier, bytes: bytes, sequence: sequence, from: transfers)
    }

    /// Waits for the transfer that an earlier launch handed over, if there is one.
    func awaitEarlierTransfer(of row: UploadRow) async {
        guard let transfers else { return }
        let prefix = "upload-\(row.sequence)-"
        let pending = await transfers.pending()
        guard let identifier = pending.first(where: { $0.hasPrefix(prefix) }) else { return }
        let left = row.source.size - (Int64(identifier.dropFirst(prefix.count)) ?? 0)
        let sent = min(pieces?.next ?? left, left)
        _ = await answer(of: identifier, bytes: sent, sequence: row.sequence, from: transfers)
    }

    /// Learns that a transfer of so many bytes was stopped at its limit: the next carries less, also after a launch.
    private func takeStop(of bytes: Int64) async {
        pieces?.ranOutOfTime(bytes)
        await keepPieceSize()
    }

    /// Learns that a transfer was answered: the next may carry more.
    func takePiece(of bytes: Int64, in span: Duration) async {
        guard var sizer = pieces else { return }
        let before = sizer.next
        sizer.committed(bytes, in: span)
        pieces = sizer
        // What is no less than every launch begins with is not worth a commit.
        if before < min(sizer.first, sizer.next) { await keepPieceSize() }
    }

    /// Keeps the size for the next launch, which would begin with too much again.
    private func keepPieceSize() async {
        guard let next = pieces?.next else { return }
        _ = await durably {
            try store.connection.transaction { try store.setState(Self.pieceState, next) }
        }
    }

    /// Where the database keeps the size of the next transfer, once one was stopped.
    static let pieceState = "piece_bytes"

    /// Forgets what the system does for an upload that was taken back.
    func cancelTransfers(of sequence: Int64) async {
        guard let transfers else { return }
        let prefix = "upload-\(sequence)-"
        for identifier in await transfers.pending() where identifier.hasPrefix(prefix) {
            await transfers.cancel(identifier: identifier)
        }
    }

    private func answer(
        of identifier: String,
        bytes: Int64,
        sequence: Int64,
        from transfers: any BackgroundTransfers
    ) async -> Answer {
        let signal = awaited[identifier] ?? WakeSignal()
        awaited[identifier] = signal
        handedOver.insert(sequence)
        defer {
            awaited[identifier] = nil
            handedOver.remove(sequence)
        }
        while arrived[identifier] == nil {
            await signal.wait()
            guard !Task.isCancelled else { return .taskCancelled }
        }
        let result = arrived.removeValue(forKey: identifier)
        var ranOutOfTime = false
        if case .failure(let error) = result { ranOutOfTime = error.code == .timedOut }
        // Whoever dies before it is kept is told again.
        if ranOutOfTime { await takeStop(of: bytes) }
        // What else is durable is the upload's row, which this changes nothing of: the server is asked again.
        await transfers.confirm(identifier: identifier)
        guard !ranOutOfTime else { return .outOfTime }
        switch result {
        case .success(let response): return .response(response)
        case .failure(let error):
            let kind = FailureClass(thrown: error)
            return .error(kind == .cancelled || kind == .client ? .ambiguous : kind)
        case nil: return .error(.ambiguous)
        }
    }

    private func isOfActiveUpload(_ identifier: String) -> Bool {
        let parts = identifier.split(separator: "-")
        guard parts.count == 3, let sequence = Int64(parts[1]) else { return false }
        return (try? store.row(sequence)) != nil
    }

    /// Whether an upload is left that the process itself has to go on with.
    ///
    /// Declared `async` for the same reason as `Outbox.needsTime()`.
    public func needsTime() async -> Bool {
        guard let active = try? store.active() else { return true }
        return active.contains { !handedOver.contains($0.sequence) }
    }
}
