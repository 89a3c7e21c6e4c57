import NetworkModel

/// JSON Schemas of all files that people write, generated from the same enums as the readers.
package enum ProfileSchema: String, CaseIterable, Sendable {
    case profile
    case device
    case network
    case radio
    case server
    case os
    case budgets

    /// The schema as JSON text, ending with a line break; what `onebar schema` prints.
    package var text: String {
        let root: SchemaNode
        switch self {
        case .profile: root = Self.profileObject
        case .device: root = Self.presetObject(Self.deviceKeys(isPreset: true))
        case .network: root = Self.networkFile
        case .radio: root = Self.radioFile
        case .server: root = Self.presetObject(Self.serverKeys)
        case .os: root = Self.presetObject(Self.systemKeys)
        case .budgets:
            let lines = Self.budgetLines(.reference("budget"))
            root = Self.presetObject([SchemaNode.Key("budgets", lines, required: true)])
        }
        guard case .object(let members) = root else { preconditionFailure("a schema is an object") }
        let head: [(key: String, value: SchemaNode)] = [
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("title", .text("Onebar \(rawValue), format \(ScenarioReader.formatVersion)")),
        ]
        let definitions: [(key: String, value: SchemaNode)] = [
            ("$defs", .object(Self.definitions(for: self)))
        ]
        return SchemaNode.object(head + members + definitions).rendered() + "\n"
    }

    private static func definitions(
        for schema: ProfileSchema
    ) -> [(key: String, value: SchemaNode)] {
        switch schema {
        case .radio: []
        case .device, .os: SchemaQuantities.definitions
        case .server: SchemaQuantities.definitions
        case .network: SchemaQuantities.definitions + networkDefinitions
        case .budgets: [("limit", limit), ("budget", packBudget)]
        case .profile:
            SchemaQuantities.definitions + networkDefinitions + [
                ("limit", limit), ("budget", .any([.reference("limit"), budgetObject])),
                ("budgetLines", profileLines),
            ]
        }
    }

    /// Keys that any file may begin with.
    static let fileKeys: [SchemaNode.Key] = [
        .init("$schema", .string),
        .init(
            "onebar",
            SchemaNode.object([("const", .number(ScenarioReader.formatVersion))])
                .described("The version of the format."),
            required: true
        ),
    ]

    /// Keys with which presets say where their figures come from.
    static let headerKeys: [SchemaNode.Key] = [
        .init("source", SchemaNode.string.described("Where the figures come from.")),
        .init(
            "unverified",
            SchemaNode.array(of: .string).described("Fields nobody checked against the source.")
        ),
        .init("as_of", SchemaNode.string.described("When the figures were true.")),
    ]

    static func presetObject(_ keys: [SchemaNode.Key]) -> SchemaNode {
        .object(keys: fileKeys + headerKeys + keys)
    }

    /// Keys without the duty to be there: an override names only what it changes.
    static func optional(_ keys: [SchemaNode.Key]) -> [SchemaNode.Key] {
        keys.map { SchemaNode.Key($0.name, $0.node) }
    }

    // MARK: the profile

    private static var profileObject: SchemaNode {
        let phone = ["device", "radio", "network", "workload"]
        let crowd = ["device", "radio", "network", "fleet"]
        let either: [SchemaNode] = [["extends"], phone, crowd].map { names in
            .object([("required", .list(names.map { .text($0) }))])
        }
        guard case .object(let members) = profileKeys else { return profileKeys }
        return .object(members + [("anyOf", .list(either))])
    }

    private static var profileKeys: SchemaNode {
        .object(
            keys: fileKeys + [
                .init(
                    "extends",
                    SchemaNode.string.described("A profile that this one is put over.")
                ),
                .init("tags", .oneOrMany(.string)),
                .init("device", devicePart),
                .init("radio", radioPart),
                .init("network", networkPart),
                .init("server", serverPart),
                .init("os", systemPart),
                .init("app", app),
                .init(
                    "workload",
                    .array(of: .object([("oneOf", .list(actions))]), atLeast: 1)
                ),
                .init("other_apps", .array(of: otherApp)),
                .init("in_memory", inMemory),
                .init("fleet", fleet),
                .init("faults", .array(of: .object([("oneOf", .list(faults))]))),
                .init("run", run),
                .init("budgets", budgetsPart),
            ]
        )
    }

    private static var devicePart: SchemaNode {
        let keys = optional(fileKeys + headerKeys + deviceKeys(isPreset: false))
        return SchemaNode.any([
            .string,
            .object(keys: [.init("model", .string)] + keys),
        ]).described("A file of profiles/devices by name, with or without overrides.")
    }

    private static var radioPart: SchemaNode {
        let one = SchemaNode.any([.string, .object([("type", .text("object"))])])
        return SchemaNode.any([
            .string,
            .object(keys: [
                .init("cellular", one, required: true), .init("wifi", one, required: true),
            ]),
            .object([
                ("type", .text("object")), ("required", .list([.text("model")])),
                ("properties", .object([("model", .string)])),
            ]),
        ]).described("Files of profiles/radios by name, with or without overrides.")
    }

    private static var networkPart: SchemaNode {
        .any([.string, .reference("phases"), .reference("inPlace")])
    }

    private static var serverPart: SchemaNode {
        let keys = optional(fileKeys + headerKeys + serverKeys)
        return .any([.string, .object(keys: [.init("preset", .string)] + keys)])
    }

    private static var run: SchemaNode {
        let seeds = SchemaNode.any([.integer(0...Int.max), .pattern("^[0-9]+(\\.\\.[0-9]+)?$")])
        return .object(keys: [
            .init("seeds", seeds.described("One seed or a range: \"1..20\".")),
            .init("for", SchemaNode.reference("duration")),
            .init("settle", SchemaNode.reference("duration")),
            .init("screen", .choice(ScreenState.self)),
        ])
    }

    private static var inMemory: SchemaNode {
        let size = SchemaNode.reference("size")
        return SchemaNode.object(keys: [
            .init("system", size), .init("app_footprint", size),
            .init(
                "apps",
                .array(
                    of: .object(keys: [
                        .init("name", .string, required: true),
                        .init("size", size, required: true),
                    ])
                )
            ),
        ]).described("Who else is in the phone's memory: the largest goes when room is needed.")
    }

    private static var retry: SchemaNode {
        let duration = SchemaNode.reference("duration")
        return .any([
            .string,
            .object(keys: [
                .init("client", .string),
                .init("base", duration), .init("ceiling", duration),
                .init(
                    "delays",
                    SchemaNode.oneOrMany(duration)
                        .described("The first waits one by one, in place of doubling.")
                ),
                .init("jitter", .choice(RetrySettings.Jitter.self)),
                .init("budget", .any([.constant("none"), .reference("probability")])),
                .init("deadline", duration),
                .init("attempts", .integer(1...1_000)),
            ]),
        ])
    }

    private static var app: SchemaNode {
        let duration = SchemaNode.reference("duration")
        return .object(keys: [
            .init(
                "outbox",
                .object(keys: [
                    .init("parallel", .integer(1...100)), .init("give_up_after", duration),
                ])
            ),
            .init(
                "uploader",
                .object(keys: [
                    .init("chunk", .reference("sizeRange")),
                    .init("chunk_time", .reference("durationRange")),
                    .init(
                        "background",
                        SchemaNode.bool.described("Whether the system carries uploads out.")
                    ),
                ])
            ),
            .init(
                "uploads",
                SchemaNode.any([
                    .string,
                    .object(keys: [
                        .init("client", .string),
                        .init("chunk", .reference("sizeRange")),
                        .init("chunk_time", .reference("durationRange")),
                        .init("retry", retry),
                    ]),
                ]).described(
                    "How uploads go, as a client of profiles/clients does it, or settings."
                )
            ),
            .init("retry", retry),
            .init(
                "http",
                .object(keys: [
                    .init("timeout", duration), .init("connections", .integer(1...1_000)),
                ])
            ),
            .init(
                "live",
                SchemaNode.object(keys: [
                    .init("over", .choice(LiveSettings.Channel.self)), .init("retry", duration),
                    .init("timeout", duration), .init("ping", duration),
                ]).described("Listens to the events of \"server.stream\".")
            ),
            .init(
                "images",
                .object(keys: [
                    .init("memory", .reference("size")), .init("disk", .reference("size")),
                    .init("parallel_decodes", .integer(1...64)), .init("variants", .bool),
                ])
            ),
            .init(
                "screen",
                .object(keys: [
                    .init("frame_work", duration), .init("bind_work", duration),
                    .init("prefetch_rows", .integer(0...10_000)),
                    .init("cancel_on_recycle", .bool),
                ])
            ),
        ])
    }
}
