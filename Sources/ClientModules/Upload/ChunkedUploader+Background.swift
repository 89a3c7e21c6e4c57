import Foundation

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
            try await transfers.start(request, file: file, range: range, identifier: identifier)
        } catch {
            return Task.isCancelled ? .taskCancelled : .error(.connectFail)
        }
        return await answer(of: identifier, sequence: sequence, from: transfers)
    }

    /// The answer to a transfer that an earlier launch handed over; nil if there is none.
    func answerOfEarlierTransfer(_ sequence: Int64) async -> Answer? {
        guard let transfers else { return nil }
        let prefix = "upload-\(sequence)-"
        let pending = await transfers.pending()
        guard let identifier = pending.first(where: { $0.hasPrefix(prefix) }) else { return nil }
        return await answer(of: identifier, sequence: sequence, from: transfers)
    }

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
        // What is durable is the upload's row, which this changes nothing of: the server is asked again.
        await transfers.confirm(identifier: identifier)
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
