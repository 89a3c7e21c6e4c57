import NetworkModel
import Quantities

/// Reads one phase of a network.
struct PhaseDecoder {
    let resolver: PresetResolver

    private var diagnostics: ProfileDiagnostics { resolver.diagnostics }

    func decode(_ reader: ObjectReader, index: Int) -> NetworkPhase? {
        _ = PresetHeader(reader)
        let interface: NetworkInterface = reader.choice("over") ?? .cellular
        refuseDelay(reader)
        let (rtt, oneWayUp) = roundTrip(reader)
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
            oneWayUp: oneWayUp,
            jitter: reader.quantity("jitter") ?? .zero,
            reorders: reorders(reader),
            // Android and iOS treat cellular as metered and Wi-Fi as not, unless told otherwise.
            isMetered: reader.bool("metered") ?? (interface == .cellular),
            interruptions: interruptions(reader, within: duration),
            handover: handover(reader),
            nameLookup: reader.quantity("dns") ?? .zero,
            proxy: proxy(reader)
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

    private func reorders(_ reader: ObjectReader) -> Bool {
        let asked = reader.bool("reorder") ?? false
        if asked, !reader.has("jitter") {
            diagnostics.warn(
                at: reader.location(of: "reorder"),
                "\"reorder\" does nothing without \"jitter\"",
                remedy: "add \"jitter\": \"20ms\""
            )
        }
        return asked
    }

    /// There and back, and up alone where it is told: from `rtt`, or from `one_way` as one value or
    /// as a value each way.
    private func roundTrip(_ reader: ObjectReader) -> (both: Duration?, up: Duration?) {
        let rtt: Duration? = reader.quantity("rtt")
        guard let oneWay = reader.value("one_way") else {
            if !reader.has("rtt"), !reader.has("delay"), !reader.has("latency") {
                diagnostics.error(
                    at: reader.location,
                    "\(reader.what) has no \"rtt\"",
                    remedy: "add \"rtt\": \"70ms\" (there and back) or \"one_way\""
                )
            }
            return (rtt, nil)
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
            return (span.map { $0 * 2 }, nil)
        }
        let nested = ObjectReader(oneWay, as: "\"one_way\"", diagnostics: diagnostics)
        let down: Duration? = nested.requiredQuantity("down", example: "400ms")
        let up: Duration? = nested.requiredQuantity("up", example: "440ms")
        nested.finish()
        guard let down, let up else { return (nil, nil) }
        return (down + up, down == up ? nil : up)
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
            let rate = RateDecoder(resolver: resolver).decode(value, key: key, reader: reader)
            guard let rate else { return nil }
            return LinkDirection(rate: rate, queue: queue, loss: loss)
        }
        let nested = ObjectReader(value, as: "\"\(key)\"", diagnostics: diagnostics)
        let schedule = RateDecoder(resolver: resolver).decode(of: nested)
        let ownQueue = nested.integer("queue", in: 1...1_000_000) ?? queue
        let ownLoss = LossDecoder(diagnostics: diagnostics).decode(nested, key: "loss") ?? loss
        nested.finish()
        return schedule.map { LinkDirection(rate: $0, queue: ownQueue, loss: ownLoss) }
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

    private func proxy(_ reader: ObjectReader) -> ProxySettings? {
        guard let nested = reader.object("proxy") else { return nil }
        var settings = ProxySettings()
        settings.originRTT = nested.quantity("origin_rtt") ?? settings.originRTT
        settings.largestBody = nested.quantity("largest_body")
        nested.finish()
        return settings
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
