import PhoneModel
import Quantities
import Trace

extension RadioMachineDecoder {
    /// Reads the states by name, then how they follow each other.
    func chain() -> ChainParameters? {
        var states = NamedStates(reader: reader)
        for key in states.keys { states.add(key, state(key, of: states.reader)) }
        let idle = reader.requiredString("idle", example: "IDLE").flatMap {
            states.take($0, kinds: [.idle], at: "idle", reader)
        }
        let up = object("promotion", of: reader, example: "{ \"state\": …, \"delay\": … }")
        let way = up.flatMap { promotion($0, path: "promotion", &states) }
        let (active, slope) = activity(&states)
        let steps = reader.objects("tail", as: "tail step").enumerated().map { index, step in
            tailStep(step, path: "tail.\(index + 1)", &states)
        }
        if reader.requiredValue("tail", example: "[{ \"state\": …, \"for\": … }]") != nil,
            steps.isEmpty
        {
            reader.fail("tail", "a tail without a step", remedy: "add at least one")
        }
        states.reportUnreached()
        let tail = steps.compactMap { $0 }
        guard let idle, let way, let active, tail.count == steps.count, !tail.isEmpty else {
            return nil
        }
        return ChainParameters(idle: idle, promotion: way, active: active, slope: slope, tail: tail)
    }

    private func state(_ name: String, of reader: ObjectReader?) -> RadioState? {
        guard let object = reader.flatMap({ self.object(name, of: $0, example: "{}") }) else {
            return nil
        }
        let path = "states.\(name)"
        let kind: RadioInterval.Kind? = object.requiredChoice("kind", example: "tail")
        let power: Power? = figure("power", of: object, path: path, example: "500mW")
        var pulse: PowerDraw.Pulse?
        if let nested = object.object("pulse") { pulse = self.pulse(nested, path: path + ".pulse") }
        let isBroken = object.has("pulse") && pulse == nil
        object.finish()
        guard let kind, let power, !isBroken else { return nil }
        return RadioState(name, kind, PowerDraw(power, pulse: pulse))
    }

    private func pulse(_ reader: ObjectReader, path: String) -> PowerDraw.Pulse? {
        let period = timer("period", of: reader, path: path, example: "40ms")
        let on: Duration? = figure("on", of: reader, path: path, example: "2ms")
        let power: Power? = figure("power", of: reader, path: path, example: "1680mW")
        let charge: PowerDraw.Pulse.Charge? = reader.requiredChoice("charge", example: "mean")
        reader.finish()
        guard let period, let on, let power, let charge else { return nil }
        guard on <= period else {
            reader.fail(
                "on",
                "the pulse lasts longer than its period of \(period.compactText)",
                remedy: "write at most the period"
            )
            return nil
        }
        return PowerDraw.Pulse(period: period, on: on, power: power, charge: charge)
    }

    private func promotion(
        _ reader: ObjectReader,
        path: String,
        _ states: inout NamedStates
    ) -> ChainParameters.Promotion? {
        let state = reader.requiredString("state", example: "PROMOTION").flatMap {
            states.take($0, kinds: [.promotion], at: "state", reader)
        }
        let delay: Duration? = figure("delay", of: reader, path: path, example: "260ms")
        reader.finish()
        guard let state, let delay else { return nil }
        return ChainParameters.Promotion(state: state, delay: delay)
    }

    private func activity(_ states: inout NamedStates) -> (RadioState?, TransferSlope) {
        guard let nested = object("active", of: reader, example: "{ \"state\": … }") else {
            return (nil, TransferSlope())
        }
        let state = nested.requiredString("state", example: "ACTIVE").flatMap {
            states.take($0, kinds: [.active], at: "state", nested)
        }
        let slope = TransferSlope(up: slope("up", of: nested), down: slope("down", of: nested))
        nested.finish()
        return (state, slope)
    }

    /// A slope such as `"438.39mW/Mbps"`; zero if absent.
    private func slope(_ key: String, of reader: ObjectReader) -> Power {
        note(key, of: reader, path: "active")
        guard let text = reader.string(key) else { return .zero }
        let remedy = "write a power for each Mbps, such as \"438.39mW/Mbps\""
        guard text.hasSuffix("/Mbps") else {
            reader.fail(key, "'\(text)' is no slope", remedy: remedy)
            return .zero
        }
        do throws(QuantityError) {
            return try Power(text: String(text.dropLast(5)))
        } catch {
            reader.fail(key, "'\(text)' \(error.problem)", remedy: remedy)
            return .zero
        }
    }

    private func tailStep(
        _ reader: ObjectReader,
        path: String,
        _ states: inout NamedStates
    ) -> ChainParameters.TailStep? {
        let state = reader.requiredString("state", example: "TAIL").flatMap {
            states.take($0, kinds: [.tail, .idle], at: "state", reader)
        }
        let span = timer("for", of: reader, path: path)
        let bridges = reader.bool("bridges") ?? false
        var resume: ChainParameters.Promotion?
        if let nested = reader.object("resume") {
            resume = promotion(nested, path: path + ".resume", &states)
        }
        if bridges, reader.has("resume") {
            reader.fail(
                "bridges",
                "a step that needs a promotion cannot count as activity",
                remedy: "drop \"bridges\" or \"resume\""
            )
        }
        reader.finish()
        guard let state, let span else { return nil }
        return ChainParameters.TailStep(
            state: state,
            duration: span,
            bridges: bridges,
            resume: resume
        )
    }
}

/// The states of a file by name, and which of them something leads to.
private struct NamedStates {
    let reader: ObjectReader?
    private var states: [String: RadioState] = [:]
    private var reached: [String] = []

    init(reader: ObjectReader) {
        self.reader = reader.requiredValue("states", example: "{ \"IDLE\": … }").map {
            ObjectReader($0, as: "\"states\"", diagnostics: reader.diagnostics)
        }
    }

    var keys: [String] { reader?.keys ?? [] }

    mutating func add(_ name: String, _ state: RadioState?) {
        states[name] = state
    }

    /// The state that `key` names, if it is of a kind that belongs there.
    mutating func take(
        _ name: String,
        kinds: [RadioInterval.Kind],
        at key: String,
        _ user: ObjectReader
    ) -> RadioState? {
        guard keys.contains(name) else {
            user.fail(
                key,
                "there is no state \"\(name)\"",
                remedy: NearestName.remedy(for: name, among: keys)
            )
            return nil
        }
        reached.append(name)
        guard let state = states[name] else { return nil }
        guard kinds.contains(state.kind) else {
            let wanted = kinds.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            user.fail(
                key,
                "\"\(name)\" is of kind \"\(state.kind.rawValue)\"",
                remedy: "name a state of kind \(wanted)"
            )
            return nil
        }
        return state
    }

    func reportUnreached() {
        guard let reader else { return }
        for key in keys where !reached.contains(key) {
            reader.diagnostics.error(
                at: reader.location(of: key),
                "the state \"\(key)\" can never be reached",
                remedy: "use it in \"tail\", or remove it"
            )
        }
    }
}
