import NetworkModel
import Quantities
import ServerModel

/// Reads a profile's `server`: a preset's name, or an object with overrides.
struct ServerDecoder {
    let resolver: PresetResolver

    /// What is kept of a chunk whose connection broke, by name.
    enum PartialBodiesName: String, CaseIterable {
        case kept
        case none
    }

    /// What becomes of a refresh token that was used, by name.
    enum UsedRefreshTokenName: String, CaseIterable {
        case refused
        case untilSuccessorUsed = "until_successor_used"
    }

    func decode(_ value: JSONCValue?) -> ServerPart? {
        guard let value else { return ServerPart() }
        guard let (name, object) = resolver.resolve(value, kind: .servers, key: "preset") else {
            return nil
        }
        let reader = ObjectReader(object, as: "server", diagnostics: resolver.diagnostics)
        _ = PresetHeader(reader)
        var server = ServerConfiguration()
        server.think = reader.range("think") ?? server.think
        server.capacity = reader.integer("capacity", in: 1...100_000_000)
        server.overloadRetryAfter = reader.quantity("overload_retry_after")
        server.idempotencyKeysLive =
            reader.quantity("idempotency_keys_live") ?? server.idempotencyKeysLive
        server.partialBodies = partialBodies(reader) ?? server.partialBodies
        server.uploadsLive = reader.quantity("uploads_live")
        server.maximumUploadSize = reader.quantity("maximum_upload")
        server.maximumChunkSize = reader.quantity("maximum_chunk")
        server.maximumMutationSize =
            reader.quantity("maximum_mutation") ?? server.maximumMutationSize
        server.uploadLock = reader.quantity("upload_lock") ?? server.uploadLock
        server.bodyTimeout = reader.quantity("body_timeout") ?? server.bodyTimeout
        server.newRequestsTakeOver =
            reader.bool("new_requests_take_over") ?? server.newRequestsTakeOver
        server.checksums = reader.bool("checksums") ?? server.checksums
        server.uploadPath = uploadPath(reader) ?? server.uploadPath
        if let tokens = reader.object("tokens") {
            var policy = TokenPolicy()
            policy.accessTokensLive =
                tokens.quantity("access_tokens_live") ?? policy.accessTokensLive
            policy.refreshTokensWorkOnce =
                tokens.bool("refresh_tokens_work_once") ?? policy.refreshTokensWorkOnce
            policy.usedRefreshToken = usedRefreshToken(tokens) ?? policy.usedRefreshToken
            tokens.finish()
            server.tokens = policy
        }
        if let images = reader.object("images") {
            server.images = ImageCatalogueDecoder().decode(images)
        }
        let stream = reader.object("stream").flatMap { decode(stream: $0) }
        reader.finish()
        return ServerPart(name: name, configuration: server, stream: stream)
    }

    /// A name, or how long it is forgiven.
    private func usedRefreshToken(_ reader: ObjectReader) -> UsedRefreshToken? {
        let key = "used_refresh_token"
        guard let text = reader.value(key)?.string, text.first?.isNumber != true else {
            let span: Duration? = reader.quantity(key)
            return span.map { .isForgiven(for: $0) }
        }
        switch UsedRefreshTokenName(rawValue: text) {
        case .refused: return .isRefused
        case .untilSuccessorUsed: return .isForgivenUntilItsSuccessorIsUsed
        case nil:
            reader.fail(
                key,
                "\"\(text)\" is no \"\(key)\"",
                remedy: "write \"refused\", \"until_successor_used\", or a time such as \"60s\""
            )
            return nil
        }
    }

    private func decode(stream reader: ObjectReader) -> EventStreamSettings? {
        let every: QuantityRange<Duration>? =
            reader.requiredValue("every", example: "\"30s\"") == nil ? nil : reader.range("every")
        var stream = EventStreamSettings(every: every ?? .init(.seconds(1), .seconds(1)))
        if every?.lower == .zero {
            reader.fail(
                "every",
                "events without time between them",
                remedy: "write a duration above zero"
            )
        }
        stream.size = reader.quantity("size") ?? stream.size
        if reader.has("heartbeat") {
            let heartbeat: Duration? = reader.quantity("heartbeat")
            // "0s" is none: a stream of silence.
            stream.heartbeat = heartbeat == .zero ? nil : heartbeat
        }
        stream.keeps = reader.integer("keeps", in: 0...1_000_000) ?? stream.keeps
        reader.finish()
        return every == nil ? nil : stream
    }

    /// A name, `{ "first": "64KiB" }` or `{ "rolled_back_to_blocks_of": "256KiB" }`.
    private func partialBodies(_ reader: ObjectReader) -> PartialBodies? {
        guard let value = reader.value("partial_bodies") else { return nil }
        guard value.members != nil else {
            let name: PartialBodiesName? = reader.choice(from: value, key: "partial_bodies")
            return name.map { $0 == .kept ? .kept : .none }
        }
        let nested = ObjectReader(
            value,
            as: "\"partial_bodies\"",
            diagnostics: resolver.diagnostics
        )
        let first: ByteCount? = nested.quantity("first")
        let block: ByteCount? = nested.quantity("rolled_back_to_blocks_of")
        nested.finish()
        switch (first, block) {
        case (let first?, nil): return .first(first)
        case (nil, let block?) where block > .zero: return .rolledBack(toBlocksOf: block)
        default:
            resolver.diagnostics.error(
                at: value.location,
                "this does not say what is kept of a broken chunk",
                remedy:
                    "write \"kept\", \"none\", { \"first\": … } or { \"rolled_back_to_blocks_of\": … }"
            )
            return nil
        }
    }

    private func uploadPath(_ reader: ObjectReader) -> String? {
        guard let path = reader.string("upload_path") else { return nil }
        guard path.hasPrefix("/"), path.count > 1, !path.contains(" ") else {
            reader.fail("upload_path", "\"\(path)\" is no path", remedy: "write \"/files\"")
            return nil
        }
        return path
    }
}
