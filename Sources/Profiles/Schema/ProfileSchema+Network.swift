import NetworkModel

extension ProfileSchema {
    /// Definitions that networks need.
    static var networkDefinitions: [(key: String, value: SchemaNode)] {
        [
            ("loss", loss),
            ("direction", direction),
            ("transport", transport),
            ("phase", .object(keys: [.init("preset", .string)] + phaseKeys)),
            (
                "inPlace",
                .object(
                    keys: optional(fileKeys) + [
                        .init("preset", .string), .init("transport", .reference("transport")),
                    ] + phaseKeys
                )
            ),
            (
                "phases",
                .object(
                    keys: optional(fileKeys) + headerKeys + [
                        .init("preset", .string), .init("transport", .reference("transport")),
                        .init(
                            "phases",
                            .array(of: .reference("phase"), atLeast: 1),
                            required: true
                        ),
                    ]
                )
            ),
        ]
    }

    /// A file of `profiles/networks`.
    static var networkFile: SchemaNode {
        .any([.reference("phases"), .reference("inPlace")])
    }

    private static var phaseKeys: [SchemaNode.Key] {
        let duration = SchemaNode.reference("duration")
        return headerKeys + [
            .init("name", .string),
            .init("for", duration.described("How long the phase lasts; the last one lasts on.")),
            .init("over", .choice(NetworkInterface.self)),
            .init("down", .reference("direction")),
            .init("up", .reference("direction")),
            .init("rtt", duration.described("There and back, without queues.")),
            .init(
                "one_way",
                .any([
                    duration,
                    .object(keys: [
                        .init("down", duration, required: true),
                        .init("up", duration, required: true),
                    ]),
                ])
            ),
            .init(
                "jitter",
                duration.described("Added each way, uniform from zero to this; order is kept.")
            ),
            .init("reorder", SchemaNode.bool.described("Lets jitter change the packets' order.")),
            .init("queue", .integer(1...1_000_000)),
            .init("loss", .reference("loss")),
            .init("metered", .bool),
            .init(
                "proxy",
                SchemaNode.object(keys: [
                    .init(
                        "origin_rtt",
                        duration.described("From the proxy to the server and back.")
                    ),
                    .init("largest_body", .reference("size")),
                ]).described(
                    "A proxy that takes a request whole before the server sees any of it."
                )
            ),
            .init("dns", duration.described("A name lookup that is not cached.")),
            .init(
                "dead_zones",
                .array(
                    of: .object(keys: [
                        .init("at", duration, required: true),
                        .init("for", duration, required: true),
                        .init("kind", .choice(PathInterruption.Kind.self)),
                    ])
                )
            ),
            .init(
                "handover",
                .object(keys: [
                    .init("gap", duration), .init("address", .choice(HandoverAddress.self)),
                ])
            ),
        ]
    }

    private static var rate: SchemaNode {
        .any([
            .reference("rate"),
            .array(
                of: .object(keys: [
                    .init("from", .reference("duration"), required: true),
                    .init("rate", .reference("rate"), required: true),
                ]),
                atLeast: 1
            ),
        ])
    }

    private static var direction: SchemaNode {
        .any([
            rate,
            .object(keys: [
                .init("rate", rate, required: true), .init("queue", .integer(1...1_000_000)),
                .init("loss", .reference("loss")),
            ]),
            .object(keys: [
                .init(
                    "trace",
                    SchemaNode.string.described(
                        "A file beside this one: mahimahi's milliseconds, or seconds,Mbps."
                    ),
                    required: true
                ),
                .init("queue", .integer(1...1_000_000)), .init("loss", .reference("loss")),
            ]),
        ])
    }

    private static var loss: SchemaNode {
        let chance = SchemaNode.reference("probability")
        return .any([
            chance,
            .object(keys: [
                .init("model", .constant(LossDecoder.Model.bernoulli.rawValue), required: true),
                .init("rate", chance, required: true),
            ]),
            .object(keys: [
                .init(
                    "model",
                    .constant(LossDecoder.Model.gilbertElliott.rawValue),
                    required: true
                ),
                .init("good", .reference("duration"), required: true),
                .init("bad", .reference("duration"), required: true),
                .init("loss_in_good", chance), .init("loss_in_bad", chance),
            ]),
            .object(keys: [
                .init(
                    "model",
                    .constant(LossDecoder.Model.gilbertElliott.rawValue),
                    required: true
                ),
                .init("to_bad", chance, required: true),
                .init("to_good", chance, required: true),
                .init("loss_in_good", chance), .init("loss_in_bad", chance),
            ]),
        ])
    }

    private static var transport: SchemaNode {
        .any([
            .choice(TransportConfiguration.Kind.self),
            .object(keys: [
                .init("kind", .choice(TransportConfiguration.Kind.self)),
                .init("security", .choice(TransportSecurity.self)),
                .init(
                    "http",
                    SchemaNode.choice(HTTPClientSettings.ApplicationProtocol.self).described(
                        "HTTP/1.1 and HTTP/2 over TCP, or HTTP/3 over QUIC."
                    )
                ),
                .init(
                    "resumption",
                    SchemaNode.bool.described("TLS sessions are resumed within a launch.")
                ),
                .init(
                    "early_data",
                    SchemaNode.bool.described(
                        "Safe requests go with the first flight of a resumed handshake (0-RTT)."
                    )
                ),
                .init(
                    "migration",
                    SchemaNode.bool.described(
                        "Whether HTTP/3 survives a change of address; true unless said."
                    )
                ),
            ]),
        ])
    }
}
