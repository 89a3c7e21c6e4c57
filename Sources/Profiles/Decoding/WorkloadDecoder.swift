import Foundation
import Quantities
import Trace

/// Reads a profile's `workload`.
struct WorkloadDecoder {
    let diagnostics: ProfileDiagnostics

    func decode(_ reader: ObjectReader, others: [OtherTraffic] = []) -> [WorkloadEntry] {
        let entries = reader.objects("workload", as: "action")
        if entries.isEmpty, reader.value("workload")?.elements != nil || !reader.has("workload") {
            diagnostics.error(
                at: reader.value("workload")?.location ?? reader.location,
                "the workload is empty",
                remedy:
                    "add an action: { \"do\": \"message.send\", \"every\": \"30s\", \"count\": 10 }"
            )
        }
        var uploads: [UploadKind: Int] = [:]
        return entries.enumerated().compactMap { index, entry in
            let verb: WorkloadVerb? = entry.requiredChoice("do", example: "message.send")
            let schedule = ride(entry, others) ?? decodeSchedule(entry)
            let action = verb.flatMap { decodeAction($0, entry) }
            // Without its verb, nobody knows which keys belong to it.
            if verb != nil { entry.finish() }
            guard let schedule, let action else { return nil }
            if let kind = action.uploadKind { uploads[kind, default: 0] += schedule.count }
            checkUpload(of: action, entry, among: uploads)
            return WorkloadEntry(
                index: index,
                action: action,
                schedule: schedule,
                location: entry.location
            )
        }
    }

    /// `"with": "mail"`: as each use of the radio by that other app ends.
    private func ride(_ entry: ObjectReader, _ others: [OtherTraffic]) -> WorkloadSchedule? {
        guard let owner = entry.string("with") else { return nil }
        for key in ["at", "every", "from", "count"] where entry.has(key) {
            _ = entry.value(key)
            entry.fail(key, "an action has both \"with\" and \"\(key)\"", remedy: "keep one")
        }
        if !others.contains(where: { $0.owner == owner }) {
            entry.fail(
                "with",
                "no other app is \"\(owner)\"",
                remedy: others.isEmpty
                    ? "declare it: \"other_apps\": [{ \"owner\": \"\(owner)\", … }]"
                    : NearestName.remedy(for: owner, among: others.map(\.owner))
            )
        }
        return .with(owner)
    }

    /// Reads when something happens; without a count it goes on for ever where `isEndless` allows it.
    func decodeSchedule(_ entry: ObjectReader, isEndless: Bool = false) -> WorkloadSchedule? {
        let instants: [Duration] = entry.quantities("at")
        let interval: QuantityRange<Duration>? = entry.range("every")
        let from: QuantityRange<Duration>? = entry.range("from")
        let counts = self.counts(entry)
        let count = counts?.upperBound
        guard entry.has("at") != entry.has("every") else {
            let both = entry.has("at")
            diagnostics.error(
                at: entry.location,
                both ? "an action has both \"at\" and \"every\"" : "an action does not say when",
                remedy: both
                    ? "keep one" : "add \"at\": \"1min\", or \"every\": \"30s\" with \"count\""
            )
            return nil
        }
        if entry.has("at") {
            for key in ["from", "count"] where entry.has(key) {
                entry.fail(key, "\"\(key)\" belongs to \"every\"", remedy: "remove it")
            }
            if entry.value("at")?.elements?.isEmpty ?? false {
                entry.fail("at", "the action never happens", remedy: "write at least one instant")
            }
            return instants.isEmpty ? nil : .at(instants)
        }
        if !entry.has("count"), !isEndless {
            diagnostics.error(
                at: entry.location,
                "an action with \"every\" has no \"count\"",
                remedy: "say how often: \"count\": 40"
            )
        }
        if isEndless, let interval, interval.lower <= .zero {
            entry.fail("every", "it would never let time go on", remedy: "write \"5min\"")
            return nil
        }
        guard let interval, let count = count ?? (isEndless ? Int.max : nil) else { return nil }
        let start = from ?? QuantityRange(.zero)
        if start.lower < start.upper || counts.map({ $0.count > 1 }) == true {
            return .drawn(interval, from: start, count: counts ?? count...count)
        }
        return .every(interval, from: start.lower, count: count)
    }

    /// How often: a number, or a range such as "8..40" of which each seed draws one.
    private func counts(_ entry: ObjectReader) -> ClosedRange<Int>? {
        let bounds = 1...10_000_000
        guard let value = entry.value("count") else { return nil }
        guard let text = value.string, text.contains("..") else {
            return entry.integer(from: value, key: "count", in: bounds).map { $0...$0 }
        }
        let ends = text.components(separatedBy: "..").compactMap { Int($0) }
        guard ends.count == 2, ends[0] <= ends[1], bounds.contains(ends[0]),
            bounds.contains(ends[1])
        else {
            entry.fail(
                "count",
                "\"\(text)\" is no count",
                remedy: "write a number, or a range of which each seed draws one: \"8..40\""
            )
            return nil
        }
        return ends[0]...ends[1]
    }

    private func decodeAction(_ verb: WorkloadVerb, _ entry: ObjectReader) -> WorkloadAction? {
        switch verb {
        case .messageSend:
            // 200 B to 2 KiB and three conversations are assumptions.
            return .sendMessage(
                size: entry.range("size") ?? QuantityRange(.bytes(200), .kibibytes(2)),
                conversations: entry.integer("conversations", in: 1...1_000_000) ?? 3
            )
        case .likeToggle:
            return .toggleLike(
                taps: entry.integer("taps", in: 1...1_000) ?? 1,
                within: entry.quantity("within") ?? .zero
            )
        case .photoUpload: return upload(.photo, entry)
        case .videoUpload: return upload(.video, entry)
        case .fileUpload: return upload(.file, entry)
        case .uploadCancel: return upload(entry).map { .cancelUpload(of: $0) }
        case .uploadRetry: return upload(entry).map { .retryUpload(of: $0) }
        case .requestSend: return request(entry)
        case .radioActivity:
            let lasts: Duration? = entry.requiredQuantity("lasts", example: "1.2s")
            let cause: WakeCause = entry.choice("cause") ?? .user
            let owner = entry.string("owner") ?? "activity"
            return lasts.map {
                .radioActivity(RadioActivityAction(lasts: $0, cause: cause, owner: owner))
            }
        case .sqliteInsert: return insert(entry)
        case .listScroll: return ScrollDecoder().decode(entry)
        case .mainBlock:
            let lasts: Duration? = entry.requiredQuantity("lasts", example: "100ms")
            return lasts.map { .blockMain(lasts: $0) }
        case .appUse:
            return span(entry).map { .useApp(lasts: $0) }
        case .phoneCarry:
            return span(entry).map { .carry(lasts: $0) }
        case .phoneCharge:
            return span(entry).map { .charge(lasts: $0) }
        case .pushReceive:
            let priority: PushAction.Priority = entry.choice("priority") ?? .normal
            return request(entry).flatMap { action in
                guard case .request(let fetch) = action else { return nil }
                return .receivePush(PushAction(isHigh: priority == .high, fetch: fetch))
            }
        case .appLeave:
            let lasts: Duration? = entry.requiredQuantity("for", example: "5min")
            let otherApp: ByteCount = entry.quantity("other_app") ?? .zero
            return lasts.map { .leaveApp(LeaveAction(lasts: $0, otherApp: otherApp)) }
        }
    }

    private func span(_ entry: ObjectReader) -> Duration? {
        entry.requiredQuantity("for", example: "5min")
    }

    private func upload(_ kind: UploadKind, _ entry: ObjectReader) -> WorkloadAction? {
        guard entry.requiredValue("size", example: "\"3.5MB\"") != nil else { return nil }
        let size: QuantityRange<ByteCount>? = entry.range("size")
        guard let size else { return nil }
        guard size.lower > .zero else {
            entry.fail("size", "an upload of no bytes", remedy: "write a size above zero")
            return nil
        }
        return .upload(kind, size: size)
    }

    /// The name of an upload that stands before it in the workload.
    private func upload(_ entry: ObjectReader) -> String? {
        entry.requiredString("of", example: "file-1")
    }

    /// Nobody can take back what nobody asked for.
    private func checkUpload(
        of action: WorkloadAction,
        _ entry: ObjectReader,
        among uploads: [UploadKind: Int]
    ) {
        let name: String
        switch action {
        case .cancelUpload(let of), .retryUpload(let of): name = of
        default: return
        }
        let parts = name.split(separator: "-", maxSplits: 1)
        let count = parts.first.flatMap { UploadKind(rawValue: String($0)) }.map {
            uploads[$0] ?? 0
        }
        let number = parts.count == 2 ? Int(parts[1]) : nil
        guard let count, let number, number >= 1, number <= count else {
            let known = UploadKind.allCases.filter { uploads[$0] ?? 0 > 0 }
                .map { "\"\($0.rawValue)-1\"" }
            entry.fail(
                "of",
                "no upload before this one is called \"\(name)\"",
                remedy: known.isEmpty
                    ? "put it after the upload: { \"do\": \"file.upload\", \"at\": \"1s\", \"size\": \"1MB\" }"
                    : "count by kind, such as \(known.joined(separator: ", "))"
            )
            return
        }
    }

    private func request(_ entry: ObjectReader) -> WorkloadAction? {
        let route = RouteText.read(entry, key: "to") ?? "GET /feed"
        return .request(
            RequestAction(
                route: route,
                bodySize: entry.range("body") ?? QuantityRange(.zero),
                responseSize: entry.quantity("response") ?? .zero,
                calls: entry.integer("calls", in: 1...1_000_000) ?? 1,
                connection: entry.choice("connection") ?? .reused
            )
        )
    }

    private func insert(_ entry: ObjectReader) -> WorkloadAction? {
        let rows =
            entry.requiredValue("rows", example: "1000") != nil
            ? entry.integer("rows", in: 1...100_000_000) : nil
        let perTransaction = entry.integer("per_transaction", in: 1...100_000_000) ?? 1
        // 100 bytes a row is an assumption.
        let rowSize: ByteCount = entry.quantity("row_size") ?? .bytes(100)
        let journal: InsertAction.Journal = entry.choice("journal") ?? .wal
        let synchronous: InsertAction.Synchronous = entry.choice("synchronous") ?? .full
        let usesFullSync = entry.bool("full_sync") ?? false
        let survives: InsertAction.Survival = entry.choice("survives") ?? .powerLoss
        return rows.map {
            .insertRows(
                InsertAction(
                    rows: $0,
                    rowsPerTransaction: perTransaction,
                    rowSize: rowSize,
                    journal: journal,
                    synchronous: synchronous,
                    usesFullSync: usesFullSync,
                    survives: survives
                )
            )
        }
    }
}
