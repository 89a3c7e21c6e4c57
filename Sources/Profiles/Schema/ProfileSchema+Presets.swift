import PhoneModel

extension ProfileSchema {
    /// Keys of a device; all that a device needs are required of a file.
    static func deviceKeys(isPreset: Bool) -> [SchemaNode.Key] {
        let power = SchemaNode.reference("power")
        let duration = SchemaNode.reference("duration")
        let chance = SchemaNode.reference("probability")
        return [
            .init("os", .choice(OperatingSystemName.self), required: isPreset),
            .init("memory", .reference("size"), required: isPreset),
            .init(
                "memory_cap",
                SchemaNode.reference("size").described(
                    "What one app may hold before it is killed."
                ),
                required: isPreset
            ),
            .init(
                "memory_pressure",
                .object(keys: [.init("warning", chance), .init("critical", chance)])
            ),
            .init("battery", .reference("battery"), required: isPreset),
            .init(
                "processor",
                .object(keys: [
                    .init("active_power", power, required: isPreset),
                    .init("decode_per_megapixel", duration, required: isPreset),
                    .init("parse_per_kibibyte", duration, required: isPreset),
                    .init("launch", duration, required: isPreset),
                    .init("cold_start", duration), .init("warm_start", duration),
                ]),
                required: isPreset
            ),
            .init("screen_power", power, required: isPreset),
            .init("base_power", power, required: isPreset),
            .init("refresh_hz", .integer(1...1_000)),
            .init("disk", disk, required: isPreset),
        ]
    }

    private static var disk: SchemaNode {
        let names = SchemaNode.oneOf(names: DiskProfile.all.map(\.name))
        let range = SchemaNode.reference("durationRange")
        return .any([
            names,
            .object(keys: [
                .init("model", names, required: true), .init("sync", range),
                .init("full_sync", range), .init("write", .reference("duration")),
                .init("name", .reference("duration")),
            ]),
        ])
    }

    /// Keys of a server; each has a default.
    static var serverKeys: [SchemaNode.Key] {
        let duration = SchemaNode.reference("duration")
        let size = SchemaNode.reference("size")
        return [
            .init(
                "think",
                SchemaNode.reference("durationRange")
                    .described("From the end of a request to its answer.")
            ),
            .init(
                "capacity",
                SchemaNode.integer(1...100_000_000)
                    .described("Requests a second; the rest is answered 503.")
            ),
            .init("overload_retry_after", duration),
            .init("idempotency_keys_live", duration),
            .init(
                "partial_bodies",
                .any([
                    .choice(ServerDecoder.PartialBodiesName.self),
                    .object(keys: [.init("first", size, required: true)]),
                    .object(keys: [.init("rolled_back_to_blocks_of", size, required: true)]),
                ])
            ),
            .init("uploads_live", duration),
            .init("maximum_upload", size),
            .init("maximum_chunk", size),
            .init("maximum_mutation", size),
            .init("upload_lock", duration),
            .init("body_timeout", duration),
            .init("new_requests_take_over", .bool),
            .init("checksums", .bool),
            .init("upload_path", .pattern("^/[^ ]+$")),
            .init(
                "tokens",
                .object(keys: [
                    .init("access_tokens_live", duration),
                    .init("refresh_tokens_work_once", .bool),
                    .init(
                        "used_refresh_token",
                        SchemaNode.any([
                            .choice(ServerDecoder.UsedRefreshTokenName.self), duration,
                        ]).described(
                            "What becomes of a refresh token that was used, as its answer may be "
                                + "lost: it ends the session, is forgiven until a token of the "
                                + "answer was used, or for so long."
                        )
                    ),
                ])
            ),
            .init("images", images),
            .init(
                "stream",
                SchemaNode.object(keys: [
                    .init("every", .reference("durationRange"), required: true),
                    .init("size", size), .init("heartbeat", duration),
                    .init("keeps", .integer(0...1_000_000)),
                ]).described("Events for clients that listen (\"app.live\").")
            ),
        ]
    }

    private static var images: SchemaNode {
        let pixels = SchemaNode.integer(ImageCatalogueDecoder.pixels)
        let chance = SchemaNode.reference("probability")
        let file = SchemaNode.object(keys: [
            .init("width", pixels, required: true), .init("height", pixels, required: true),
            .init("size", .reference("size"), required: true),
            .init("format", .pattern("^[a-z0-9]+$")),
        ])
        return SchemaNode.object(keys: [
            .init("original", file.described("The file of every name.")),
            .init(
                "variants",
                SchemaNode.array(of: file).described("Other files of every name, by width.")
            ),
            .init("max_age", .reference("duration")),
            .init("missing", chance), .init("truncated", chance),
        ]).described("Pictures under /images/.")
    }

    /// A file of `profiles/radios`: an alias, or a machine whose keys depend on its kind.
    static var radioFile: SchemaNode {
        let head: [(key: String, value: SchemaNode)] = [
            ("$schema", .string),
            ("onebar", .object([("const", .number(ScenarioReader.formatVersion))])),
        ]
        let machine = RadioMachineDecoder.Kind.self
        return .any([
            .object([
                ("type", .text("object")),
                ("properties", .object(head + [("alias", .string)])),
                ("required", .list([.text("alias")])), ("additionalProperties", .flag(false)),
            ]),
            .object([
                ("type", .text("object")),
                (
                    "properties",
                    .object(
                        head + [
                            ("title", .string), ("year", .integer(1990...2100)),
                            ("grade", .choice(RadioModel.Grade.self)),
                            ("technology", .choice(RadioModel.Technology.self)),
                            ("machine", .choice(machine)),
                            ("sources", .object([("type", .text("object"))])),
                        ]
                    )
                ),
                (
                    "required",
                    .list(
                        ["onebar", "title", "year", "grade", "technology", "machine", "sources"]
                            .map { .text($0) }
                    )
                ),
            ]),
        ])
    }
}
