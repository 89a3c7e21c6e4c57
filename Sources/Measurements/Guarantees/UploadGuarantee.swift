import Quantities
import Trace

/// `upload.bytes_identical`, `upload.created_once` and `upload.progress_honest`.
final class UploadGuarantee {
    private struct Session {
        let upload: String
        let created: SimulationInstant
        let length: ByteCount
        var isOver = false
        var completed: UInt64?
        /// When, and by which request.
        var completion: (instant: SimulationInstant, request: Int64)?
    }

    private var sessions: [String: [Session]] = [:]
    /// Most bytes that the server has kept, by identity.
    private var kept: [String: ByteCount] = [:]
    private var shown: [Int64: ByteCount] = [:]
    /// The latest request of all, and what it was when an action was taken back.
    private var lastRequest: Int64 = 0
    private var lastBeforeTakingBack: [Int64: Int64] = [:]

    /// Whether the server holds all bytes of `identity`.
    func isComplete(_ identity: String) -> Bool {
        sessions[identity]?.contains { $0.completed != nil } ?? false
    }

    /// Takes in that a request was sent.
    func sent(_ request: Int64) { lastRequest = max(lastRequest, request) }

    /// Takes in that the app told the person that an upload is gone: what is on its way may still arrive.
    func takenBack(_ action: Int64) { lastBeforeTakingBack[action] = lastRequest }

    /// Takes in what happened to an upload at the server.
    func observe(
        _ event: ServerUploadEvent,
        record: TraceRecord,
        in checks: GuaranteeChecks
    ) {
        let identity = event.identity
        let entry = checks.ledger.entries(of: identity).last { $0.isUpload }
        checks.story.link(event.request, to: identity)
        if let entry, entry.settled == .cancelled {
            goneOn(event, entry: entry, record: record, in: checks)
        }
        switch event.kind {
        case .created(let length):
            checks.story.note(
                "server created upload '\(event.upload)' of \(length)",
                of: identity,
                at: record.instant
            )
            created(event, length: length, entry: entry, record: record, in: checks)
        case .appended(let offset):
            kept[identity] = max(kept[identity] ?? .zero, offset)
            checks.story.note(
                "server holds \(offset) of '\(event.upload)'",
                of: identity,
                at: record.instant
            )
        case .completed(let digest):
            checks.story.note(
                "server completed '\(event.upload)'",
                of: identity,
                at: record.instant
            )
            checks.followAnswer(to: event.request)
            change(event) {
                $0.completed = digest
                $0.completion = (record.instant, event.request)
            }
            if let length = sessions[identity]?.last(where: { $0.upload == event.upload })?.length {
                kept[identity] = max(kept[identity] ?? .zero, length)
            }
            completed(event, digest: digest, entry: entry, record: record, in: checks)
        case .expired:
            checks.story.note(
                "server let '\(event.upload)' expire",
                of: identity,
                at: record.instant
            )
            change(event) { $0.isOver = true }
        case .terminated:
            checks.story.note(
                "'\(event.upload)' was terminated",
                of: identity,
                at: record.instant
            )
            change(event) { $0.isOver = true }
        }
    }

    /// Reports bytes, or an upload, that came of a request which was sent after the person took the file back.
    private func goneOn(
        _ event: ServerUploadEvent,
        entry: ActionLedger.Entry,
        record: TraceRecord,
        in checks: GuaranteeChecks
    ) {
        guard let last = lastBeforeTakingBack[entry.action.action], event.request > last,
            let settled = entry.settledAt
        else { return }
        let what: String
        switch event.kind {
        case .created(let length): what = "'\(event.upload)' of \(length) was created"
        case .appended(let offset): what = "'\(event.upload)' came to \(offset)"
        case .completed: what = "'\(event.upload)' was completed"
        case .expired, .terminated: return
        }
        checks.report(
            .createdOnce,
            "goneOn",
            entry.action,
            at: record.instant,
            device: record.device,
            message: "\(entry.title) was taken back at \(settled) and gone on with: \(what) at the "
                + "server at \(record.instant), by a request that was sent after that"
        )
    }

    private func change(_ event: ServerUploadEvent, _ body: (inout Session) -> Void) {
        guard let list = sessions[event.identity],
            let index = list.lastIndex(where: { $0.upload == event.upload })
        else { return }
        body(&sessions[event.identity, default: []][index])
    }

    private func created(
        _ event: ServerUploadEvent,
        length: ByteCount,
        entry: ActionLedger.Entry?,
        record: TraceRecord,
        in checks: GuaranteeChecks
    ) {
        let earlier = (sessions[event.identity] ?? []).last { !$0.isOver }
        sessions[event.identity, default: []].append(
            Session(upload: event.upload, created: record.instant, length: length)
        )
        guard let earlier, let entry else { return }
        let asked = checks.ledger.entries(of: event.identity).filter(\.isUpload).count
        guard (sessions[event.identity]?.filter { !$0.isOver }.count ?? 0) > asked else { return }
        checks.report(
            .createdOnce,
            "created",
            entry.action,
            at: record.instant,
            device: record.device,
            message: "\(entry.title) was created again at the server at \(record.instant), as "
                + "'\(event.upload)', while '\(earlier.upload)' of \(earlier.created) was still "
                + "there with \(kept[event.identity] ?? .zero)"
        )
    }

    private func completed(
        _ event: ServerUploadEvent,
        digest: UInt64,
        entry: ActionLedger.Entry?,
        record: TraceRecord,
        in checks: GuaranteeChecks
    ) {
        guard let entry else { return }
        let session = sessions[event.identity]?.last { $0.upload == event.upload }
        let isLengthRight = session.map { $0.length == entry.action.size } ?? true
        // Asked for once more, it is the file of that moment that counts, or the one before.
        let chosen = checks.ledger.entries(of: event.identity).filter(\.isUpload)
        let isChosen = chosen.contains { $0.action.digest == digest }
        guard !isChosen || !isLengthRight else { return }
        checks.counts.corrupt += 1
        let detail =
            isLengthRight
            ? "its \(entry.action.size) are not the bytes that were chosen"
            : "the server holds \(session?.length ?? .zero) and the file has \(entry.action.size)"
        checks.report(
            .bytesIdentical,
            "digest",
            entry.action,
            at: record.instant,
            device: record.device,
            message: "\(entry.title) finished at the server at \(record.instant), but \(detail)"
        )
    }

    /// Takes in progress as the app shows it.
    func progress(
        of number: Int64,
        shown bytes: ByteCount,
        record: TraceRecord,
        in checks: GuaranteeChecks
    ) {
        guard let entry = checks.ledger[number] else { return }
        let committed = kept[entry.action.identity] ?? .zero
        let before = shown[number] ?? .zero
        shown[number] = max(before, bytes)
        if bytes > committed {
            checks.report(
                .progressHonest,
                "ahead",
                entry.action,
                at: record.instant,
                device: record.device,
                message: "\(entry.title) showed \(bytes) as uploaded at \(record.instant), but "
                    + "the server had kept \(committed)"
            )
        }
        // A phone out of a backup that lacks it shows what it knows: an earlier transfer of the file, say.
        if bytes < before, !entry.wasForgotten {
            checks.counts.progressRegressions += 1
            checks.report(
                .progressHonest,
                "fell",
                entry.action,
                at: record.instant,
                device: record.device,
                message: "\(entry.title) showed \(bytes) as uploaded at \(record.instant), after "
                    + "it had shown \(before)"
            )
        }
    }

    /// Reports uploads that the app called finished and the server does not hold.
    func finish(at end: SimulationInstant, in checks: GuaranteeChecks) {
        for entry in checks.ledger.all
        where entry.isUpload && entry.settled == .acknowledged
            && !isComplete(entry.action.identity)
        {
            checks.report(
                .bytesIdentical,
                "incomplete",
                entry.action,
                at: end,
                device: entry.device,
                message: "\(entry.title) was called finished at \(entry.settledAt ?? end), but the "
                    + "server holds \(kept[entry.action.identity] ?? .zero) of "
                    + "\(entry.action.size)"
            )
        }
        reportToldFailures(at: end, in: checks)
    }

    /// Reports files that the app called failed and that stand whole at the server.
    ///
    /// What an app tells of the server's own words (`rejected`, `expired`) is not held against it: which
    /// of several requests they answered is not followed.
    private func reportToldFailures(at end: SimulationInstant, in checks: GuaranteeChecks) {
        var judged: Set<String> = []
        for entry in checks.ledger.all where entry.isUpload {
            let identity = entry.action.identity
            let isOwnWord = [.deadLettered, .sourceUnavailable, nil].contains(entry.toldFailure)
            guard entry.isClaimedUndone, isOwnWord, let told = entry.thrown?.at ?? entry.settledAt,
                judged.insert(identity).inserted
            else { continue }
            let whole = (sessions[identity] ?? []).filter {
                !$0.isOver && $0.completed == entry.action.digest && $0.length == entry.action.size
            }
            let others = checks.ledger.entries(of: identity)
                .filter { $0.isUpload && !$0.isClaimedUndone }
            guard whole.count > others.count, let last = whole.last,
                let completion = last.completion, !checks.answers.isDenied(completion.request)
            else { continue }
            var message =
                "the app said at \(told) that \(entry.title) failed (\(entry.claim)), but it "
                + "stands whole at the server since \(completion.instant), as '\(last.upload)'"
            if let loss = checks.answers.loss(of: completion.request) { message += "; \(loss)" }
            checks.report(
                .bytesIdentical,
                "told",
                entry.action,
                at: end,
                device: entry.device,
                message: message
            )
        }
    }
}
