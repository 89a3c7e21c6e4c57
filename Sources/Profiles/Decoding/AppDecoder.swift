import NetworkModel
import Quantities

/// Reads a profile's `app`: settings of the built-in modules, each with its default.
struct AppDecoder {
    let resolver: PresetResolver

    private var diagnostics: ProfileDiagnostics { resolver.diagnostics }

    func decode(_ value: JSONCValue?) -> AppConfiguration {
        var app = AppConfiguration()
        guard let value else { return app }
        let reader = ObjectReader(value, as: "app", diagnostics: diagnostics)
        if let outbox = reader.object("outbox") { decode(outbox, into: &app.outbox) }
        if let uploader = reader.object("uploader") { decode(uploader, into: &app.uploader) }
        // The client that is named wins: so it can be varied over a profile with chunks of its own.
        if let uploads = reader.value("uploads") { decode(uploads: uploads, into: &app.uploader) }
        if let retry = reader.value("retry") { decode(retry: retry, into: &app.retry) }
        if let http = reader.object("http") {
            app.http.timeout = http.quantity("timeout") ?? app.http.timeout
            app.http.connections =
                http.integer("connections", in: 1...1_000) ?? app.http.connections
            http.finish()
        }
        if let images = reader.object("images") { decode(images, into: &app.images) }
        if let screen = reader.object("screen") { decode(screen, into: &app.screen) }
        if let live = reader.object("live") { app.live = decode(live: live) }
        reader.finish()
        return app
    }

    private func decode(live reader: ObjectReader) -> LiveSettings {
        var live = LiveSettings()
        live.over = reader.choice("over") ?? live.over
        live.retry = reader.quantity("retry") ?? live.retry
        live.timeout = reader.quantity("timeout")
        live.ping = reader.quantity("ping")
        for key in ["retry", "timeout", "ping"] where reader.has(key) {
            let span = key == "retry" ? live.retry : key == "timeout" ? live.timeout : live.ping
            if span == .zero {
                reader.fail(key, "\"\(key)\" of no time", remedy: "write a duration above zero")
            }
        }
        if live.ping != nil, live.over == .sse {
            reader.fail(
                "ping",
                "only WebSockets have pings; with server-sent events the server has the heartbeat",
                remedy: "write \"over\": \"websocket\", or \"heartbeat\" in \"server.stream\""
            )
        }
        reader.finish()
        return live
    }

    private func decode(_ reader: ObjectReader, into images: inout ImageSettings) {
        images.memory = reader.quantity("memory")
        images.disk = reader.quantity("disk") ?? images.disk
        images.parallelDecodes =
            reader.integer("parallel_decodes", in: 1...64) ?? images.parallelDecodes
        images.variants = reader.bool("variants") ?? images.variants
        reader.finish()
    }

    private func decode(_ reader: ObjectReader, into screen: inout ScreenSettings) {
        screen.frameWork = reader.quantity("frame_work") ?? screen.frameWork
        screen.bindWork = reader.quantity("bind_work") ?? screen.bindWork
        screen.prefetchRows =
            reader.integer("prefetch_rows", in: 0...10_000) ?? screen.prefetchRows
        screen.cancelsOnRecycle = reader.bool("cancel_on_recycle") ?? screen.cancelsOnRecycle
        reader.finish()
    }

    private func decode(_ reader: ObjectReader, into outbox: inout OutboxSettings) {
        outbox.parallel = reader.integer("parallel", in: 1...100) ?? outbox.parallel
        outbox.giveUpAfter = reader.quantity("give_up_after") ?? outbox.giveUpAfter
        reader.finish()
    }

    private func decode(_ reader: ObjectReader, into uploader: inout UploaderSettings) {
        uploader.chunk = reader.range("chunk") ?? uploader.chunk
        uploader.chunkTime = reader.range("chunk_time") ?? uploader.chunkTime
        uploader.background = reader.bool("background") ?? uploader.background
        if uploader.chunkTime.lower == .zero {
            reader.fail("chunk_time", "a chunk of no time", remedy: "write a duration above zero")
        }
        if uploader.chunk.lower == .zero {
            reader.fail("chunk", "a chunk of no bytes", remedy: "write a size above zero")
        }
        reader.finish()
    }

    /// Checks a file of `profiles/clients`: the settings that a client is known by.
    func check(_ root: JSONCValue) {
        let reader = ObjectReader(root, as: "client", diagnostics: diagnostics)
        _ = PresetHeader(reader)
        var settings = RetrySettings()
        if let retry = reader.requiredValue("retry", example: "{ \"base\": \"1s\" }") {
            decode(retry: retry, into: &settings)
        }
        var uploader = UploaderSettings()
        if let uploads = reader.object("uploads") { decode(uploads, into: &uploader) }
        reader.finish()
    }

    /// A client's name, the name with changes (`"client"`), or settings: how uploads go.
    private func decode(uploads value: JSONCValue, into uploader: inout UploaderSettings) {
        var chunks = value
        if let naming = value.string.map({ _ in value }) ?? value["client"] {
            guard let preset = resolver.resolve(naming, kind: .clients, key: "client") else {
                return
            }
            guard let section = preset.object["uploads"] else {
                diagnostics.error(
                    at: naming.location,
                    "the client \"\(preset.name)\" says nothing of uploads",
                    remedy: "name another, or vary \"app.retry\""
                )
                return
            }
            if let retry = preset.object["retry"] {
                var settings = RetrySettings()
                decode(ObjectReader(retry, as: "retry", diagnostics: diagnostics), into: &settings)
                uploader.retry = settings
            }
            let changes = value.members?.filter { $0.key != "client" } ?? []
            chunks = section.overlaid(by: JSONCValue(.object(changes), at: value.location))
        }
        let reader = ObjectReader(chunks, as: "uploads", diagnostics: diagnostics)
        if let retry = reader.value("retry") {
            var settings = uploader.retry ?? RetrySettings()
            decode(retry: retry, into: &settings)
            uploader.retry = settings
        }
        decode(reader, into: &uploader)
    }

    /// A name of a client's settings, the name with changes (`"client"`), or settings.
    private func decode(retry value: JSONCValue, into retry: inout RetrySettings) {
        var value = value
        if let naming = value.string.map({ _ in value }) ?? value["client"] {
            let changes = value.members?.filter { $0.key != "client" } ?? []
            guard let preset = resolver.resolve(naming, kind: .clients, key: "client") else {
                return
            }
            guard let section = preset.object["retry"] else {
                diagnostics.error(
                    at: naming.location,
                    "the client \"\(preset.name)\" says nothing of retries",
                    remedy: "name another, or write the settings out"
                )
                return
            }
            value = section.overlaid(by: JSONCValue(.object(changes), at: value.location))
        }
        decode(ObjectReader(value, as: "retry", diagnostics: diagnostics), into: &retry)
    }

    private func decode(_ reader: ObjectReader, into retry: inout RetrySettings) {
        retry.base = reader.quantity("base") ?? retry.base
        retry.ceiling = reader.quantity("ceiling") ?? retry.ceiling
        retry.jitter = reader.choice("jitter") ?? retry.jitter
        if let value = reader.value("budget") {
            retry.budget =
                value.string == "none" ? nil : reader.quantity(from: value, key: "budget")
        }
        retry.delays = reader.quantities("delays")
        retry.deadline = reader.quantity("deadline")
        retry.attempts = reader.integer("attempts", in: 1...1_000)
        if retry.base == .zero {
            reader.fail("base", "a base of no time", remedy: "write a duration above zero")
        }
        if retry.ceiling < retry.base {
            reader.fail(
                "ceiling",
                "the ceiling is below the base of \(retry.base.compactText)",
                remedy: "write a ceiling of at least the base"
            )
        }
        reader.finish()
    }
}
