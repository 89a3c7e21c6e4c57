import NetworkModel
import Quantities

/// Reads how fast a direction is: a rate, steps of it, or a recording in a file beside the network.
struct RateDecoder {
    let resolver: PresetResolver

    private var diagnostics: ProfileDiagnostics { resolver.diagnostics }

    /// The rate of a direction's object: its `rate`, or the file that `trace` names.
    func decode(of reader: ObjectReader) -> RateSchedule? {
        guard reader.has("trace") else {
            return reader.requiredValue("rate", example: "\"12Mbps\"").flatMap {
                decode($0, key: "rate", reader: reader)
            }
        }
        if reader.has("rate") {
            _ = reader.value("rate")
            diagnostics.error(
                at: reader.location(of: "rate"),
                "\"rate\" and \"trace\" are both there",
                remedy: "keep one; a trace is the rate over time"
            )
        }
        guard let name = reader.string("trace"), let value = reader.value("trace") else {
            return nil
        }
        return resolver.trace(name, at: value.location)
    }

    /// A constant rate, or steps: `[{ "from": "0s", "rate": "2Mbps" }, …]`.
    func decode(_ value: JSONCValue, key: String, reader: ObjectReader) -> RateSchedule? {
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
}
