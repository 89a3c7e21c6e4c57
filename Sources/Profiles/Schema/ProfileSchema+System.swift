import PhoneModel

extension ProfileSchema {
    /// A profile's `os`: a policy by name, with or without overrides.
    static var systemPart: SchemaNode {
        let keys = optional(fileKeys + headerKeys + systemKeys)
        return SchemaNode.any([
            .string,
            .object(
                keys: [
                    .init("policy", .string),
                    .init("low_power", SchemaNode.bool.described("Low Power Mode, Battery Saver.")),
                    .init("low_data", SchemaNode.bool.described("Low Data Mode, Data Saver.")),
                ] + keys
            ),
        ]).described(
            "A file of profiles/os by name: what an app out of sight is granted. "
                + "Without it, such an app runs on."
        )
    }

    /// Keys of a policy; all but doze and standby are required of a file.
    static var systemKeys: [SchemaNode.Key] {
        [
            .init("sources", .object([("type", .text("object"))]), required: true),
            .init(
                "suspension",
                .object(keys: [
                    .init("after", duration, required: true),
                    .init("finishing", duration, required: true),
                    .init("closes_sockets", .bool, required: true),
                    .init("kills_for_locks", .bool, required: true),
                ]),
                required: true
            ),
            .init("refresh", window, required: true),
            .init("processing", window, required: true),
            .init("push", push, required: true),
            .init("transfers", transfers, required: true),
            .init(
                "force_quit",
                .object(keys: [
                    .init("stops_background_work", .bool, required: true),
                    .init("cancels_transfers", .bool, required: true),
                ]),
                required: true
            ),
            .init(
                "saving",
                .object(keys: [
                    .init("battery_floor", .reference("probability"), required: true),
                    .init("low_power_stops_windows", .bool, required: true),
                    .init("low_data_stops_windows", .bool, required: true),
                    .init("low_data_defers_transfers", .bool, required: true),
                ]),
                required: true
            ),
            .init("doze", doze), .init("standby", standby),
        ]
    }

    private static var duration: SchemaNode { .reference("duration") }
    private static var count: SchemaNode { .integer(1...1_000_000) }

    private static var backoff: SchemaNode {
        .object(keys: [
            .init("base", duration, required: true), .init("ceiling", duration, required: true),
        ])
    }

    private static var growth: SchemaNode {
        .object(keys: [
            .init("first", duration, required: true), .init("factor", .integer(1...100)),
            .init("longest", duration, required: true),
        ])
    }

    private static var window: SchemaNode {
        .object(keys: [
            .init("length", .reference("durationRange"), required: true),
            .init("delay", .reference("durationRange"), required: true),
            .init("pending", .integer(1...1_000), required: true),
            .init("needs", .oneOrMany(.choice(WindowPolicy.Need.self))),
            .init("overrun", .choice(WindowPolicy.Overrun.self), required: true),
            .init("grace", duration), .init("retry", backoff),
        ])
    }

    private static var push: SchemaNode {
        let allowance = SchemaNode.object(keys: [
            .init("burst", count), .init("refill", duration),
        ])
        return .object(keys: [
            .init("window", duration, required: true), .init("radio", duration, required: true),
            .init("normal", allowance, required: true), .init("high", allowance, required: true),
            .init("waits_in_doze", .bool, required: true),
            .init("overrun", .choice(WindowPolicy.Overrun.self), required: true),
        ])
    }

    private static var transfers: SchemaNode {
        .object(keys: [
            .init("runs_in", .choice(TransferPolicy.Carrier.self), required: true),
            .init("discretion", .reference("durationRange"), required: true),
            .init("window", duration, required: true), .init("retry", backoff, required: true),
            .init("relaunch_limiter", duration),
        ])
    }

    private static var doze: SchemaNode {
        .object(keys: [
            .init(
                "light",
                .object(keys: [
                    .init("after", duration, required: true),
                    .init("pre_idle", duration, required: true),
                    .init("idle", growth, required: true),
                    .init("budget", .reference("durationRange"), required: true),
                    .init("shortest_window", duration, required: true),
                ]),
                required: true
            ),
            .init(
                "deep",
                .object(
                    keys: ["after", "pending", "sensing", "locating", "after_motion"].map {
                        .init($0, duration, required: true)
                    } + [
                        .init("idle", growth, required: true),
                        .init("window", growth, required: true),
                        .init("shortest_window", duration, required: true),
                    ]
                ),
                required: true
            ),
        ])
    }

    private static var standby: SchemaNode {
        let bucket = SchemaNode.object(keys: [
            .init("name", .string, required: true), .init("since", duration, required: true),
            .init("time", duration, required: true), .init("window", duration, required: true),
            .init("jobs", count, required: true), .init("sessions", count, required: true),
            .init("network", .bool, required: true),
            .init("high_pushes_a_day", .integer(0...1_000_000)),
        ])
        return .object(keys: [
            .init("buckets", .array(of: bucket, atLeast: 1), required: true),
            .init("buffer", duration, required: true), .init("day_limit", duration, required: true),
            .init("per_minute", count), .init("coalescing", duration, required: true),
        ])
    }
}
