import NetworkModel
import Quantities
import ServerModel
import Trace

/// Reads a profile's `faults`.
struct FaultDecoder {
    let diagnostics: ProfileDiagnostics

    func decode(_ reader: ObjectReader) -> [FaultEntry] {
        reader.objects("faults", as: "fault").enumerated().compactMap { index, entry in
            guard let kind: FaultKind = entry.requiredChoice("fault", example: "process.kill")
            else { return nil }
            if !FaultKind.supported.contains(kind) {
                entry.fail(
                    "fault",
                    "\"\(kind.rawValue)\" is declared, but not simulated yet",
                    remedy: "remove this fault; it is refused rather than ignored"
                )
            }
            let placement = decodePlacement(kind, entry)
            let effect = decodeEffect(kind, entry)
            let isStrict = entry.bool("strict") ?? true
            entry.finish()
            guard let placement, let effect else { return nil }
            if case (.at(let instant), .restoreBackup(let taken, _)) = (placement, effect),
                taken >= instant
            {
                entry.fail(
                    "taken",
                    "the backup is made at \(taken.compactText), and restored before that",
                    remedy: "write an instant before \"at\""
                )
            }
            return FaultEntry(
                index: index,
                effect: effect,
                placement: placement,
                isStrict: isStrict,
                location: entry.location
            )
        }
    }

    // MARK: when

    private func decodePlacement(_ kind: FaultKind, _ entry: ObjectReader) -> FaultPlacement? {
        let allowed = kind.placements
        if allowed == [.to] {
            return .request(
                route: RouteText.read(entry, key: "to"),
                nth: entry.integer("nth", in: 1...1_000_000_000) ?? 1
            )
        }
        let present = FaultPlacementKey.allCases.filter { $0 != .to && entry.has($0.rawValue) }
        let list = allowed.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        guard let key = present.first else {
            diagnostics.error(
                at: entry.location,
                "\"\(kind.rawValue)\" does not say when it strikes",
                remedy: "place it by one of: \(list)"
            )
            return nil
        }
        guard present.count == 1, allowed.contains(key) else {
            let extra = present.count > 1 ? present[1] : key
            _ = present.map { entry.value($0.rawValue) }
            diagnostics.error(
                at: entry.location(of: extra.rawValue),
                present.count > 1
                    ? "a fault strikes at one place, not by \"\(key.rawValue)\" and \"\(extra.rawValue)\""
                    : "\"\(kind.rawValue)\" cannot be placed by \"\(key.rawValue)\"",
                remedy: "place it by one of: \(list)"
            )
            return nil
        }
        return placement(key, entry)
    }

    private func placement(_ key: FaultPlacementKey, _ entry: ObjectReader) -> FaultPlacement? {
        if key == .at || key == .randomly, entry.has("nth") {
            _ = entry.value("nth")
            diagnostics.error(
                at: entry.location(of: "nth"),
                "\"nth\" counts anchors, and there is none",
                remedy: "remove it, or place the fault by \"after\""
            )
        }
        switch key {
        case .at:
            let instant: Duration? = entry.quantity("at")
            return instant.map { .at($0) }
        case .randomly:
            let mean: Duration? = entry.quantity("randomly_every")
            if mean == .zero {
                entry.fail(
                    "randomly_every",
                    "infinitely many faults",
                    remedy: "write a mean above zero"
                )
                return nil
            }
            return mean.map { .poisson(mean: $0) }
        case .after:
            let anchor: FaultAnchor? = entry.choice("after")
            let nth = entry.integer("nth", in: 1...1_000_000_000) ?? 1
            return anchor.map { .after($0, nth: nth) }
        case .during:
            let anchor: FaultAnchor? = entry.choice("during")
            let nth = entry.integer("nth", in: 1...1_000_000_000) ?? 1
            let effect = entry.integer("effect", in: 1...1_000_000) ?? 1
            guard let anchor else { return nil }
            guard anchor.hasInside else {
                let inside = FaultAnchor.allCases.filter(\.hasInside).map(\.rawValue)
                entry.fail(
                    "during",
                    "\"\(anchor.rawValue)\" is over in an instant",
                    remedy: "write \"after\", or one of: \(inside.joined(separator: ", "))"
                )
                return nil
            }
            return .during(anchor, nth: nth, effect: effect)
        case .inside: return effectPlace(entry).map { .inside($0) }
        case .to: return nil
        }
    }

    /// `"in": "write", "of": "outbox.sqlite-wal", "nth": 3, "launch": 1, "side": "after"`.
    private func effectPlace(_ entry: ObjectReader) -> EffectPlace? {
        let verb: EffectPlace.Verb? = entry.choice("in")
        let subject = entry.string("of")
        let nth = entry.integer("nth", in: 1...1_000_000_000) ?? 1
        let launch = entry.integer("launch", in: 1...1_000_000) ?? 1
        let side: EffectPlace.Side = entry.choice("side") ?? .before
        return verb.map {
            EffectPlace($0, of: subject, nth: nth, launch: launch, side: side)
        }
    }

    // MARK: what

    private func decodeEffect(_ kind: FaultKind, _ entry: ObjectReader) -> FaultEffect? {
        switch kind {
        case .processKill: .killProcess(relaunch: entry.quantity("relaunch"))
        case .processForceQuit: .forceQuit(relaunch: entry.quantity("relaunch"))
        case .powerLoss: .losePower(relaunch: entry.quantity("relaunch"))
        case .responseLost:
            .loseResponse(
                afterBytes: entry.integer("after_bytes", in: 0...1_000_000_000) ?? 0,
                entry.choice("then") ?? .reset
            )
        case .requestLost: requestLoss(entry)
        case .networkDown: interruption(.down, entry)
        case .networkBlackhole: interruption(.blackhole, entry)
        case .networkCaptive: interruption(.captive, entry)
        case .connectionReset: .resetConnections
        case .serverUnavailable: refusal(entry)
        case .serverError: script(entry)
        case .diskFull: diskFull(entry)
        case .clockJump: clockJump(entry)
        case .memoryPressure: memoryPressure(entry)
        case .processDead10cc: .suspendLockHolder(relaunch: entry.quantity("relaunch"))
        case .diskLocked: lockedFiles(entry)
        case .cachePurged: .purgeCache(folder: folder(entry) ?? FaultEffect.cacheFolder)
        case .backupRestored: restoredBackup(entry)
        case .databaseBusy: busyDatabase(entry)
        case .tokenExpired: .expireToken
        case .tokenRevoked: .revokeSession
        case .sourceRemoved: source(entry).map { .removeSource(of: $0) }
        case .sourceChanged: source(entry).map { .changeSource(of: $0) }
        case .uploadCancel: source(entry).map { .cancelUpload(of: $0) }
        case .uploadRetry: source(entry).map { .retryUpload(of: $0) }
        case .processSecond: span(entry).map { .secondProcess(for: $0) }
        }
    }

    func span(_ entry: ObjectReader) -> Duration? {
        let span: Duration? = entry.requiredQuantity("for", example: "90s")
        if span == .zero {
            entry.fail("for", "a fault of no time", remedy: "write a duration above zero")
            return nil
        }
        return span
    }

    private func interruption(
        _ kind: PathInterruption.Kind,
        _ entry: ObjectReader
    ) -> FaultEffect? {
        span(entry).map { .interruptNetwork(kind, for: $0) }
    }

    private func refusal(_ entry: ObjectReader) -> FaultEffect? {
        let status = entry.integer("status", in: 400...599) ?? 503
        let retryAfter: Duration? = entry.quantity("retry_after")
        let route = RouteText.read(entry, key: "to")
        return span(entry).map {
            .refuse(status: status, retryAfter: retryAfter, route: route, for: $0)
        }
    }

    /// `times` is a count or "all"; `identity` chooses requests by what they would do.
    private func script(_ entry: ObjectReader) -> FaultEffect? {
        let status = entry.integer("status", in: 400...599) ?? 500
        var times: Int? = 1
        if let value = entry.value("times") {
            times =
                value.string == "all"
                ? nil : entry.integer(from: value, key: "times", in: 1...1_000_000_000) ?? 1
        }
        let stage: ScriptStage = entry.choice("stage") ?? .beforeProcessing
        return .answerError(
            ErrorScript(
                route: RouteText.read(entry, key: "to"),
                nth: entry.integer("nth", in: 1...1_000_000_000),
                identity: entry.string("identity"),
                status: status,
                retryAfter: entry.quantity("retry_after"),
                times: times,
                stage: stage.stage
            )
        )
    }

    private func diskFull(_ entry: ObjectReader) -> FaultEffect? {
        let free: ByteCount = entry.quantity("free") ?? .zero
        return span(entry).map { .fillDisk(free: free, for: $0) }
    }

    private func clockJump(_ entry: ObjectReader) -> FaultEffect? {
        let forward: Duration? = entry.quantity("forward")
        let back: Duration? = entry.quantity("back")
        guard entry.has("forward") != entry.has("back") else {
            diagnostics.error(
                at: entry.location,
                "a clock jumps forward or back, and this does not say how far",
                remedy: "write \"forward\": \"2h\" or \"back\": \"2h\""
            )
            return nil
        }
        return (forward ?? back.map { .zero - $0 }).map { .jumpClock(by: $0) }
    }

    private func memoryPressure(_ entry: ObjectReader) -> FaultEffect? {
        let level: MemoryPressure = entry.choice("level") ?? .critical
        if level == .normal {
            entry.fail("level", "\"normal\" is no pressure", remedy: "write warning or critical")
        }
        return span(entry).map { .pressMemory(level, for: $0) }
    }
}

/// When in a request's life a scripted error strikes, as profiles write it.
enum ScriptStage: String, CaseIterable {
    case beforeProcessing = "before_processing"
    case insteadOfEffect = "instead_of_effect"
    case afterEffect = "after_effect"

    /// The profile's name of the server's.
    init(_ stage: ErrorScript.Stage) {
        self =
            switch stage {
            case .beforeProcessing: .beforeProcessing
            case .insteadOfEffect: .insteadOfEffect
            case .afterEffect: .afterEffect
            }
    }

    /// The server's name for it.
    var stage: ErrorScript.Stage {
        switch self {
        case .beforeProcessing: .beforeProcessing
        case .insteadOfEffect: .insteadOfEffect
        case .afterEffect: .afterEffect
        }
    }
}
