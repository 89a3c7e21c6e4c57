import PhoneModel
import Quantities

extension SystemDecoder {
    func doze(_ reader: ObjectReader) -> DozePolicy? {
        guard let light = reader.object("light"), let deep = reader.object("deep") else {
            reader.fail("light", "doze has a light and a deep part", remedy: "write both")
            return nil
        }
        defer {
            light.finish()
            deep.finish()
        }
        guard let first = lightPart(light), let second = deepPart(deep) else { return nil }
        return DozePolicy(light: first, deep: second)
    }

    private func lightPart(_ reader: ObjectReader) -> DozePolicy.Light? {
        let after: Duration? = reader.requiredQuantity("after", example: "60s")
        let preIdle: Duration? = reader.requiredQuantity("pre_idle", example: "3min")
        let idle = growth("idle", reader)
        let budget: QuantityRange<Duration>? =
            reader.requiredValue("budget", example: "\"1min..5min\"") == nil
            ? nil : reader.range("budget")
        let shortest: Duration? = reader.requiredQuantity("shortest_window", example: "5s")
        guard let after, let preIdle, let idle, let budget, let shortest else { return nil }
        return DozePolicy.Light(
            after: after,
            preIdle: preIdle,
            idle: idle,
            budget: budget,
            shortest: shortest
        )
    }

    private func deepPart(_ reader: ObjectReader) -> DozePolicy.Deep? {
        let after: Duration? = reader.requiredQuantity("after", example: "30min")
        let pending: Duration? = reader.requiredQuantity("pending", example: "30min")
        let sensing: Duration? = reader.requiredQuantity("sensing", example: "4min")
        let locating: Duration? = reader.requiredQuantity("locating", example: "30s")
        let afterMotion: Duration? = reader.requiredQuantity("after_motion", example: "10min")
        let idle = growth("idle", reader)
        let window = growth("window", reader)
        let shortest: Duration? = reader.requiredQuantity("shortest_window", example: "30s")
        guard let after, let pending, let sensing, let locating, let afterMotion, let idle,
            let window, let shortest
        else { return nil }
        return DozePolicy.Deep(
            after: after,
            pending: pending,
            sensing: sensing,
            locating: locating,
            afterMotion: afterMotion,
            idle: idle,
            window: window,
            shortest: shortest
        )
    }

    private func growth(_ key: String, _ reader: ObjectReader) -> DozePolicy.Growth? {
        guard reader.requiredValue(key, example: "{ \"first\": \"5min\" }") != nil,
            let nested = reader.object(key)
        else { return nil }
        defer { nested.finish() }
        let first: Duration? = nested.requiredQuantity("first", example: "5min")
        let factor = nested.integer("factor", in: 1...100) ?? 1
        let longest: Duration? = nested.requiredQuantity("longest", example: "15min")
        guard let first, let longest else { return nil }
        guard first > .zero, longest >= first else {
            nested.fail(
                "longest",
                "waits of \(first.compactText) to \(longest.compactText)",
                remedy: "write a first above zero and a longest of at least the first"
            )
            return nil
        }
        return DozePolicy.Growth(first: first, factor: factor, longest: longest)
    }

    func standby(_ reader: ObjectReader) -> StandbyPolicy? {
        let buckets = reader.objects("buckets", as: "bucket").map { ($0, bucket($0)) }
        for (nested, _) in buckets { nested.finish() }
        let buffer: Duration? = reader.requiredQuantity("buffer", example: "30s")
        let dayLimit: Duration? = reader.requiredQuantity("day_limit", example: "4h")
        let perMinute = reader.integer("per_minute", in: 1...1_000_000) ?? 20
        let coalescing: Duration? = reader.requiredQuantity("coalescing", example: "5s")
        let known = buckets.compactMap(\.1)
        guard let buffer, let dayLimit, let coalescing, known.count == buckets.count else {
            return nil
        }
        guard known.first?.since == .zero,
            zip(known, known.dropFirst()).allSatisfy({
                $0.since < $1.since
            })
        else {
            reader.fail(
                "buckets",
                "the buckets do not begin at \"0s\" and grow from there",
                remedy: "order them by \"since\", the first at \"0s\""
            )
            return nil
        }
        return StandbyPolicy(
            buckets: known,
            buffer: buffer,
            dayLimit: dayLimit,
            perMinute: perMinute,
            coalescing: coalescing
        )
    }

    private func bucket(_ reader: ObjectReader) -> StandbyPolicy.Bucket? {
        let name = reader.requiredString("name", example: "rare")
        let since: Duration? = reader.requiredQuantity("since", example: "48h")
        let time: Duration? = reader.requiredQuantity("time", example: "10min")
        let window: Duration? = reader.requiredQuantity("window", example: "24h")
        let jobs = reader.integer("jobs", in: 1...1_000_000)
        let sessions = reader.integer("sessions", in: 1...1_000_000)
        let hasNetwork = requiredBool("network", reader)
        let highPushes = reader.integer("high_pushes_a_day", in: 0...1_000_000)
        guard let name, let since, let time, let window, let jobs, let sessions, let hasNetwork
        else { return nil }
        return StandbyPolicy.Bucket(
            name: name,
            since: since,
            time: time,
            window: window,
            jobs: jobs,
            sessions: sessions,
            hasNetwork: hasNetwork,
            highPushes: highPushes
        )
    }

    // MARK: Where the figures are from

    private static let parts = [
        "suspension", "refresh", "processing", "push", "transfers", "force_quit", "saving", "doze",
        "standby",
    ]

    /// Each figure, or the part it is in, has a line under `sources`, and no line names what is not there.
    func checkSources(_ root: JSONCValue) {
        let diagnostics = resolver.diagnostics
        guard let sources = root["sources"], let lines = sources.members else {
            diagnostics.error(
                at: root["sources"]?.location ?? root.location,
                "the policy does not say where its figures come from",
                remedy: "add \"sources\": { \"suspension.after\": \"…\" }"
            )
            return
        }
        var figures: [(path: String, location: SourceLocation)] = []
        for part in Self.parts {
            if let value = root[part] { collect(value, part, into: &figures) }
        }
        for figure in figures where !lines.contains(where: { covers($0.key, figure.path) }) {
            diagnostics.error(
                at: figure.location,
                "\"\(figure.path)\" does not say where it is from",
                remedy: "add it to \"sources\", as \"assumption\" if nobody knows"
            )
        }
        for line in lines
        where !figures.contains(where: { covers(line.key, $0.path) }) {
            diagnostics.error(
                at: line.keyLocation,
                "a source for \"\(line.key)\", which the policy does not have",
                remedy: "name a figure or the part it is in"
            )
        }
    }

    private func covers(_ name: String, _ path: String) -> Bool {
        path == name || path.hasPrefix(name + ".")
    }

    private func collect(
        _ value: JSONCValue,
        _ path: String,
        into figures: inout [(path: String, location: SourceLocation)]
    ) {
        guard let members = value.members else {
            figures.append((path, value.location))
            return
        }
        for member in members { collect(member.value, "\(path).\(member.key)", into: &figures) }
    }
}
