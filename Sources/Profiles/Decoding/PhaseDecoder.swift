import NetworkModel
import Quantities

/// Reads one phase of a network.
struct PhaseDecoder {
    let diagnostics: ProfileDiagnostics

    func decode(_ reader: ObjectReader, index: Int) -> NetworkPhase? {
        _ = PresetHeader(reader)
        let interface: NetworkInterface = reader.choice("over") ?? .cellular
        refuseDelay(reader)
        let rtt = roundTrip(reader)
        let queue = reader.integer("queue", in: 1...1_000_000) ?? 100
        let loss = LossDecoder(diagnostics: diagnostics).decode(reader, key: "loss") ?? .none
        let down = direction("down", of: reader, queue: queue, loss: loss)
        let up = direction("up", of: reader, queue: queue, loss: loss)
        let duration = reader.quantity("for", as: Duration.self)
        if duration == .zero {
            reader.fail("for", "a phase lasts no time", remedy: "write a duration above zero")
        }
        let phase = NetworkPhase(
            name: reader.string("name") ?? "phase \(index + 1)",
            duration: duration,
            interface: interface,
            down: down ?? LinkDirection(rate: .unlimited),
            up: up ?? LinkDirection(rate: .unlimited),
            rtt: rtt ?? .zero,
            jitter: reader.quantity("jitter") ?? .zero,
            // Android and iOS treat cellular as metered and Wi-Fi as not, unless told otherwise.
            isMetered: reader.bool("metered") ?? (interface == .cellular),
            interruptions: interruptions(reader, within: duration),
            handover: handover(reader),
            nameLookup: reader.quantity("dns") ?? .zero
        )
        reader.finish()
        return phase
    }

    private func refuseDelay(_ reader: ObjectReader) {
        for key in ["delay", "latency"] where reader.has(key) {
            _ = reader.value(key)
            diagnostics.error(
                at: reader.location(of: key),
                "\"\(key)\" does not say in how many directions",
                remedy: "write \"rtt\" for there and back or \"one_way\""
            )
        }
    }

    /// There and back: from `rtt`, or from `one_way` as one value or as a value each way.
    private func roundTrip(_ reader: ObjectReader) -> Duration? {
        let rtt: Duration? = reader.quantity("rtt")
        guard let oneWay = reader.value("one_way") else {
            if !reader.has("rtt"), !reader.has("delay"), !reader.has("latency") {
                diagnostics.error(
                    at: reader.location,
                    "\(reader.what) has no \"rtt\"",
                    remedy: "add \"rtt\": \"70ms\" (there and back) or \"one_way\""
                )
            }
            return rtt
        }
        if reader.has("rtt") {
            diagnostics.error(
                at: reader.location(of: "one_way"),
                "\"rtt\" and \"one_way\" are both there",
                remedy: "keep one; rtt is one_way there plus one_way back"
            )
        }
        guard oneWay.members != nil else {
            let span: Duration? = reader.quantity(from: oneWay, key: "one_way")
            return span.map { $0 * 2 }
        }
        let nested = ObjectReader(oneWay, as: "\"one_way\"", diagnostics: diagnostics)
        let down: Duration? = nested.requiredQuantity("down", example: "400ms")
        let up: Duration? = nested.requiredQuantity("up", example: "440ms")
        nested.finish()
        guard let down, let up else { return nil }
        return down + up
    }

    /// A direction: a rate alone, or an object with its own queue and loss.
    private func direction(
        _ key: String,
        of reader: ObjectReader,
        queue: Int,
        loss: LossModel
    ) -> LinkDirection? {
        guard let value = reader.requiredValue(key, example: "\"12Mbps\"") else { return nil }
        guard value.members != nil else {
            guard let rate = rate(value, key: key, reader: reader) else { return nil }
            return LinkDirection(rate: rate, queue: queue, loss: loss)
        }
        let nested = ObjectReader(value, as: "\"\(key)\"", diagnostics: diagnostics)
        let schedule = nested.requiredValue("rate", example: "\"12Mbps\"").flatMap {
            rate($0, key: "rate", reader: nested)
        }
        let ownQueue = nested.integer("queue", in: 1...1_000_000) ?? queue
        let ownLoss = LossDecoder(diagnostics: diagnostics).decode(nested, key: "loss") ?? loss
        nested.finish()
        return schedule.map { LinkDirection(rate: $0, queue: ownQueue, loss: ownLoss) }
    }

    /// A constant rate, or steps: `[{ "from": "0s", "rate": "2Mbps" }, …]`.
    private func rate(_ value: JSONCValue, key: String, reader: ObjectReader) -> RateSchedule? {
        guard let elements = value.elements else {
            let rate: BitRate? = reader.quantity(from: value, key: key)
            guard let rate else { return nil }
            if rate.bitsPerSecond == 0 {
                diagnostics.error(
                    at: value.location,
                    "at 0 bps nothing ever passes",
                    remedy: "write \"dead_zones\" for stretches without a network"
                )
            }
            return .constant(rate)
        }
        var steps: [RateSchedule.Step] = []
        for element in elements {
            let step = ObjectReader(element, as: "step", diagnostics: diagnostics)
            let from: Duration? = step.requiredQuantity("from", example: "0s")
            let rate: BitRate? = step.requiredQuantity("rate", example: "2Mbps")
            step.finish()
            guard let from, let rate else { return nil }
            let isInOrder = steps.last.map { $0.from < from } ?? (from == .zero)
            if !isInOrder {
                diagnostics.error(
                    at: element.location,
                    "a step begins out of order",
                    remedy: "the first begins at \"0s\", each next one later"
                )
                return nil
            }
            steps.append(.init(from: from, rate: rate))
        }
        if steps.isEmpty {
            diagnostics.error(at: value.location, "a rate without steps", remedy: "add one")
            return nil
        }
        return .steps(steps)
    }

    private func interruptions(
        _ reader: ObjectReader,
        within phase: Duration?
    ) -> [PathInterruption] {
        var found: [PathInterruption] = []
        for zone in reader.objects("dead_zones", as: "dead zone") {
            let at: Duration? = zone.requiredQuantity("at", example: "60s")
            let duration: Duration? = zone.requiredQuantity("for", example: "25s")
            let kind: PathInterruption.Kind = zone.choice("kind") ?? .down
            zone.finish()
            guard let at, let duration else { continue }
            if let phase, at + duration > phase {
                diagnostics.error(
                    at: zone.location,
                    "a dead zone ends \((at + duration).compactText) into a phase of "
                        + phase.compactText,
                    remedy: "end it within the phase"
                )
            }
            if let last = found.last, at < last.at + last.duration {
                diagnostics.error(
                    at: zone.location,
                    "a dead zone begins before the one above it ends",
                    remedy: "list them in order, without overlap"
                )
            }
            found.append(PathInterruption(at: at, duration: duration, kind: kind))
        }
        return found
    }

    private func handover(_ reader: ObjectReader) -> Handover? {
        guard let nested = reader.object("handover") else { return nil }
        let gap: Duration = nested.quantity("gap") ?? .zero
        let address: HandoverAddress = nested.choice("address") ?? .new
        nested.finish()
        return Handover(gap: gap, newAddress: address == .new)
    }
}

/// Whether the phone's address survives a handover.
enum HandoverAddress: String, CaseIterable {
    case new
    case same
}
