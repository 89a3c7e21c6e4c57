import PhoneModel
import Quantities

/// Reads a profile's `os`: the name of a policy under `profiles/os`, or an object with overrides.
///
/// Without it an app out of sight runs on, as if it were in front.
struct SystemDecoder {
    let resolver: PresetResolver

    private var diagnostics: ProfileDiagnostics { resolver.diagnostics }

    func decode(_ value: JSONCValue?) -> SystemConfiguration? {
        guard let value,
            let (name, object) = resolver.resolve(value, kind: .os, key: "policy")
        else { return nil }
        let reader = ObjectReader(object, as: "os", diagnostics: diagnostics)
        let savesPower = reader.bool("low_power") ?? false
        let savesData = reader.bool("low_data") ?? false
        guard let policy = policy(reader, name: name) else { return nil }
        return SystemConfiguration(policy: policy, savesPower: savesPower, savesData: savesData)
    }

    /// Checks a file of `profiles/os`: all figures are there, and each says where it is from.
    func check(_ root: JSONCValue) {
        _ = policy(ObjectReader(root, as: "os", diagnostics: diagnostics), name: "")
        checkSources(root)
    }

    private func policy(_ reader: ObjectReader, name: String) -> SystemPolicy? {
        _ = PresetHeader(reader)
        _ = reader.value("sources")
        let suspension = part("suspension", of: reader, self.suspension)
        let refresh = part("refresh", of: reader, window)
        let processing = part("processing", of: reader, window)
        let push = part("push", of: reader, self.push)
        let transfers = part("transfers", of: reader, self.transfers)
        let forceQuit = part("force_quit", of: reader, self.forceQuit)
        let saving = part("saving", of: reader, self.saving)
        let hasDoze = reader.has("doze")
        let hasStandby = reader.has("standby")
        let doze = hasDoze ? part("doze", of: reader, self.doze) : nil
        let standby = hasStandby ? part("standby", of: reader, self.standby) : nil
        reader.finish()
        guard let suspension, let refresh, let processing, let push, let transfers, let forceQuit,
            let saving, hasDoze == (doze != nil), hasStandby == (standby != nil)
        else { return nil }
        return SystemPolicy(
            name: name,
            suspension: suspension,
            refresh: refresh,
            processing: processing,
            push: push,
            transfers: transfers,
            forceQuit: forceQuit,
            saving: saving,
            doze: doze,
            standby: standby
        )
    }

    private func part<Part>(
        _ key: String,
        of reader: ObjectReader,
        _ read: (ObjectReader) -> Part?
    ) -> Part? {
        guard reader.requiredValue(key, example: "{ … }") != nil, let nested = reader.object(key)
        else { return nil }
        defer { nested.finish() }
        return read(nested)
    }

    private func suspension(_ reader: ObjectReader) -> SuspensionPolicy? {
        let after: Duration? = reader.requiredQuantity("after", example: "5s")
        let finishing: Duration? = reader.requiredQuantity("finishing", example: "30s")
        let closesSockets = requiredBool("closes_sockets", reader)
        let killsForLocks = requiredBool("kills_for_locks", reader)
        guard let after, let finishing, let closesSockets, let killsForLocks else { return nil }
        return SuspensionPolicy(
            after: after,
            finishing: finishing,
            closesSockets: closesSockets,
            killsForLocks: killsForLocks
        )
    }

    private func window(_ reader: ObjectReader) -> WindowPolicy? {
        let length: QuantityRange<Duration>? = requiredRange("length", reader)
        let delay: QuantityRange<Duration>? = requiredRange("delay", reader)
        let pending = reader.requiredValue("pending", example: "1").flatMap {
            reader.integer(from: $0, key: "pending", in: 1...1_000)
        }
        let needs: [WindowPolicy.Need] = reader.list("needs").compactMap {
            reader.choice(from: $0, key: "needs")
        }
        let overrun: WindowPolicy.Overrun? = reader.requiredChoice("overrun", example: "suspend")
        let grace: Duration = reader.quantity("grace") ?? .zero
        let retry = reader.object("retry").flatMap { nested in
            defer { nested.finish() }
            return backoff(nested)
        }
        guard let length, let delay, let pending, let overrun else { return nil }
        return WindowPolicy(
            length: length,
            pending: pending,
            delay: delay,
            needs: Set(needs),
            overrun: overrun,
            grace: grace,
            retry: retry
        )
    }

    private func backoff(_ reader: ObjectReader) -> WindowPolicy.Backoff? {
        let base: Duration? = reader.requiredQuantity("base", example: "30s")
        let ceiling: Duration? = reader.requiredQuantity("ceiling", example: "5h")
        guard let base, let ceiling else { return nil }
        guard base > .zero, ceiling >= base else {
            reader.fail(
                "ceiling",
                "waits of \(base.compactText) to \(ceiling.compactText)",
                remedy: "write a base above zero and a ceiling of at least the base"
            )
            return nil
        }
        return WindowPolicy.Backoff(base: base, ceiling: ceiling)
    }

    private func push(_ reader: ObjectReader) -> PushPolicy? {
        let window: Duration? = reader.requiredQuantity("window", example: "30s")
        let radio: Duration? = reader.requiredQuantity("radio", example: "300ms")
        let normal = part("normal", of: reader, allowance)
        let high = part("high", of: reader, allowance)
        let waits = requiredBool("waits_in_doze", reader)
        let overrun: WindowPolicy.Overrun? = reader.requiredChoice("overrun", example: "suspend")
        guard let window, let radio, let normal, let high, let waits, let overrun else {
            return nil
        }
        return PushPolicy(
            window: window,
            normal: normal,
            high: high,
            waitsInDoze: waits,
            overrun: overrun,
            radio: radio
        )
    }

    private func allowance(_ reader: ObjectReader) -> PushPolicy.Allowance? {
        let burst = reader.integer("burst", in: 1...1_000_000) ?? 1
        let refill: Duration? = reader.quantity("refill")
        if refill == .zero {
            reader.fail("refill", "a refill of no time", remedy: "drop it for no limit")
        }
        return PushPolicy.Allowance(burst: burst, refill: refill)
    }

    private func transfers(_ reader: ObjectReader) -> TransferPolicy? {
        let runsIn: TransferPolicy.Carrier? = reader.requiredChoice("runs_in", example: "system")
        let discretion: QuantityRange<Duration>? = requiredRange("discretion", reader)
        let window: Duration? = reader.requiredQuantity("window", example: "30s")
        let retry = part("retry", of: reader, backoff)
        let limiter: Duration? = reader.quantity("relaunch_limiter")
        guard let runsIn, let discretion, let window, let retry else { return nil }
        return TransferPolicy(
            runsIn: runsIn,
            discretion: discretion,
            window: window,
            retry: retry,
            limiter: limiter
        )
    }

    private func forceQuit(_ reader: ObjectReader) -> ForceQuitPolicy? {
        let stops = requiredBool("stops_background_work", reader)
        let cancels = requiredBool("cancels_transfers", reader)
        guard let stops, let cancels else { return nil }
        return ForceQuitPolicy(stopsBackgroundWork: stops, cancelsTransfers: cancels)
    }

    private func saving(_ reader: ObjectReader) -> SavingPolicy? {
        let floor: Probability? = reader.requiredQuantity("battery_floor", example: "20%")
        let power = requiredBool("low_power_stops_windows", reader)
        let data = requiredBool("low_data_stops_windows", reader)
        let transfers = requiredBool("low_data_defers_transfers", reader)
        guard let floor, let power, let data, let transfers else { return nil }
        return SavingPolicy(
            batteryFloor: floor,
            lowPowerStopsWindows: power,
            lowDataStopsWindows: data,
            lowDataDefersTransfers: transfers
        )
    }

    func requiredBool(_ key: String, _ reader: ObjectReader) -> Bool? {
        reader.requiredValue(key, example: "true") == nil ? nil : reader.bool(key)
    }

    private func requiredRange(
        _ key: String,
        _ reader: ObjectReader
    ) -> QuantityRange<Duration>? {
        reader.requiredValue(key, example: "\"30s\"") == nil ? nil : reader.range(key)
    }
}
