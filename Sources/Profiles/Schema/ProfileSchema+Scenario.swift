import Trace

extension ProfileSchema {
    /// One object a verb.
    static var actions: [SchemaNode] {
        WorkloadVerb.allCases.map { verb in
            .object(
                keys: [.init("do", .constant(verb.rawValue), required: true)] + scheduleKeys
                    + [ride] + keys(of: verb)
            )
        }
    }

    private static var ride: SchemaNode.Key {
        .init(
            "with",
            SchemaNode.string.described("As each use of the radio by this other app ends.")
        )
    }

    /// One use of the radio by another app, again and again.
    static var otherApp: SchemaNode {
        .object(
            keys: [
                .init(
                    "owner",
                    SchemaNode.string.described("Who pays, such as \"mail\"."),
                    required: true
                ),
                .init("lasts", .reference("durationRange"), required: true),
            ] + scheduleKeys
        )
    }

    /// Many callers, or many phones, instead of one phone.
    static var fleet: SchemaNode {
        .object(keys: [
            .init("clients", .integer(1...FleetConfiguration.mostClients), required: true),
            .init(
                "call",
                SchemaNode.string.described(
                    "What callers call: method and path, such as \"GET /feed\". Without it each "
                        + "client is a phone with the workload."
                )
            ),
            .init(
                "starts",
                SchemaNode.reference("durationRange")
                    .described("When a caller calls first, or a phone's workload begins.")
            ),
            .init("calls", .integer(1...1_000_000)),
            .init("every", .reference("duration")),
            .init("attempt_timeout", .reference("duration")),
        ])
    }

    private static var scheduleKeys: [SchemaNode.Key] {
        let duration = SchemaNode.reference("duration")
        return [
            .init(
                "at",
                SchemaNode.oneOrMany(duration).described("Instants from the start of the run.")
            ),
            .init(
                "every",
                SchemaNode.reference("durationRange").described("Interval, with \"count\".")
            ),
            .init(
                "from",
                SchemaNode.reference("durationRange")
                    .described("When \"every\" begins; at the start unless said.")
            ),
            .init(
                "count",
                SchemaNode.any([
                    .integer(1...10_000_000), .pattern("^[0-9]+\\.\\.[0-9]+$"),
                ]).described("How often; of a range each seed draws one, as users differ.")
            ),
        ]
    }

    private static func keys(of verb: WorkloadVerb) -> [SchemaNode.Key] {
        let size = SchemaNode.reference("sizeRange")
        let rows = SchemaNode.integer(1...100_000_000)
        switch verb {
        case .messageSend:
            return [.init("size", size), .init("conversations", .integer(1...1_000_000))]
        case .likeToggle:
            return [.init("taps", .integer(1...1_000)), .init("within", .reference("duration"))]
        case .photoUpload, .videoUpload, .fileUpload:
            return [.init("size", size, required: true)]
        case .uploadCancel, .uploadRetry:
            return [uploadName]
        case .requestSend:
            return [
                .init("to", .reference("route")), .init("body", size),
                .init("response", .reference("size")),
                .init("calls", .integer(1...1_000_000)),
                .init("connection", .choice(RequestAction.ConnectionUse.self)),
            ]
        case .radioActivity:
            return [
                .init("lasts", .reference("duration"), required: true),
                .init("cause", .choice(WakeCause.self)), .init("owner", .string),
            ]
        case .sqliteInsert:
            return [
                .init("rows", rows, required: true), .init("per_transaction", rows),
                .init("row_size", .reference("size")),
                .init("journal", .choice(InsertAction.Journal.self)),
                .init("synchronous", .choice(InsertAction.Synchronous.self)),
                .init("full_sync", .bool),
                .init("survives", .choice(InsertAction.Survival.self)),
            ]
        case .listScroll: return scrollKeys
        case .appUse, .phoneCarry, .phoneCharge:
            return [.init("for", .reference("duration"), required: true)]
        case .pushReceive:
            return [
                .init("priority", .choice(PushAction.Priority.self)),
                .init("to", .reference("route")), .init("body", size),
                .init("response", .reference("size")),
                .init("calls", .integer(1...1_000_000)),
                .init("connection", .choice(RequestAction.ConnectionUse.self)),
            ]
        case .mainBlock: return [.init("lasts", .reference("duration"), required: true)]
        case .appLeave:
            return [
                .init("for", .reference("duration"), required: true),
                .init(
                    "other_app",
                    SchemaNode.reference("size").described("What the app in front needs.")
                ),
            ]
        }
    }

    /// Which upload is meant.
    static var uploadName: SchemaNode.Key {
        .init(
            "of",
            SchemaNode.pattern("^(photo|video|file)-[1-9][0-9]*$")
                .described("Which upload, counted by kind: \"file-1\" is the first file."),
            required: true
        )
    }

    private static var scrollKeys: [SchemaNode.Key] {
        let pixels = SchemaNode.integer(ScrollDecoder.pixels)
        return [
            .init(
                "rows",
                SchemaNode.integer(ScrollDecoder.rows)
                    .described("Rows on the screen at some time in one fling."),
                required: true
            ),
            .init("speed", pixels.described("Pixels a second.")), .init("row_height", pixels),
            .init("viewport", pixels.described("Pixels of the list on the screen.")),
            .init("direction", .choice(ScrollAction.Direction.self)),
            .init(
                "picture",
                .object(keys: [
                    .init("width", pixels, required: true),
                    .init("height", pixels, required: true),
                    .init(
                        "distinct",
                        SchemaNode.integer(ScrollDecoder.rows)
                            .described("How many different ones; one a row unless said.")
                    ),
                    .init(
                        "album",
                        SchemaNode.pattern("^[a-z]+$")
                            .described("Lists of one album show the same pictures.")
                    ),
                ])
            ),
        ]
    }

    /// One object a fault that the lab can do.
    static var faults: [SchemaNode] {
        FaultKind.allCases.filter { FaultKind.supported.contains($0) }.map { kind in
            .object(
                keys: [.init("fault", .constant(kind.rawValue), required: true)]
                    + placementKeys(of: kind) + keys(of: kind)
                    + [.init("strict", SchemaNode.bool.described("Must it fire? It must."))]
            )
        }
    }

    private static func placementKeys(of kind: FaultKind) -> [SchemaNode.Key] {
        let count = SchemaNode.integer(1...1_000_000_000)
        var keys: [SchemaNode.Key] = []
        for placement in kind.placements {
            switch placement {
            case .at: keys.append(.init("at", .reference("duration")))
            case .after: keys.append(.init("after", .choice(FaultAnchor.self)))
            case .during:
                let inside = FaultAnchor.allCases.filter(\.hasInside).map(\.rawValue)
                keys.append(.init("during", .oneOf(names: inside)))
                keys.append(.init("effect", .integer(1...1_000_000)))
            case .inside:
                keys.append(.init("in", .choice(EffectPlace.Verb.self)))
                keys.append(
                    .init("of", SchemaNode.string.described("A file's name, or a request line."))
                )
                keys.append(.init("launch", .integer(1...1_000_000)))
                keys.append(.init("side", .choice(EffectPlace.Side.self)))
            case .to: keys.append(.init("to", .reference("route")))
            case .randomly: keys.append(.init("randomly_every", .reference("duration")))
            }
        }
        let isCounted = kind.placements.contains { $0 == .after || $0 == .to }
        return isCounted ? keys + [.init("nth", count)] : keys
    }

    private static func keys(of kind: FaultKind) -> [SchemaNode.Key] {
        let duration = SchemaNode.reference("duration")
        let status = SchemaNode.integer(400...599)
        switch kind {
        case .processKill, .processForceQuit, .powerLoss: return [.init("relaunch", duration)]
        case .processDead10cc, .diskLocked, .cachePurged, .backupRestored, .databaseBusy,
            .sourceRemoved, .sourceChanged, .uploadCancel, .uploadRetry,
            .processSecond:
            return storageKeys(of: kind)
        case .responseLost:
            return [
                .init("after_bytes", .integer(0...1_000_000_000)),
                .init("then", .choice(LossAftermath.self)),
            ]
        case .requestLost:
            return [
                .init(
                    "after_bytes",
                    SchemaNode.integer(0...1_000_000_000)
                        .described("Of its body, so many arrive; none unless said.")
                ),
                .init("then", .oneOf(names: LossAftermath.ofRequests.map(\.rawValue))),
            ]
        case .networkDown, .networkBlackhole, .networkCaptive:
            return [.init("for", duration, required: true)]
        case .connectionReset, .tokenExpired, .tokenRevoked: return []
        case .serverUnavailable:
            return [
                .init("status", status), .init("retry_after", duration),
                .init("to", .reference("route")), .init("for", duration, required: true),
            ]
        case .serverError:
            return [
                .init("status", status), .init("retry_after", duration),
                .init("times", .any([.constant("all"), .integer(1...1_000_000_000)])),
                .init("stage", .choice(ScriptStage.self)), .init("identity", .string),
            ]
        case .diskFull:
            return [.init("free", .reference("size")), .init("for", duration, required: true)]
        case .clockJump: return [.init("forward", duration), .init("back", duration)]
        case .memoryPressure:
            return [
                .init(
                    "level",
                    .oneOf(
                        names: MemoryPressure.allCases.filter { $0 != .normal }.map(\.rawValue)
                    )
                ),
                .init("for", duration, required: true),
            ]
        }
    }
}
