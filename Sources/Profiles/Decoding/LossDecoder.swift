import NetworkModel
import Quantities

/// Reads a loss model: `"0.5%"`, or an object that names its model.
struct LossDecoder {
    let diagnostics: ProfileDiagnostics

    /// The loss models by name.
    enum Model: String, CaseIterable {
        case bernoulli
        case gilbertElliott = "gilbert-elliott"
    }

    func decode(_ reader: ObjectReader, key: String) -> LossModel? {
        guard let value = reader.value(key) else { return nil }
        guard value.members != nil else {
            let chance: Probability? = reader.quantity(from: value, key: key)
            return chance.map { $0 == .never ? .none : .bernoulli($0) }
        }
        let nested = ObjectReader(value, as: "\"\(key)\"", diagnostics: diagnostics)
        let model: Model? = nested.requiredChoice("model", example: "gilbert-elliott")
        switch model {
        case nil:
            return nil
        case .bernoulli:
            let chance: Probability? = nested.requiredQuantity("rate", example: "1%")
            nested.finish()
            return chance.map { .bernoulli($0) }
        case .gilbertElliott:
            return gilbertElliott(nested)
        }
    }

    /// By time (`good`, `bad`: mean stays) as a radio fades, or by packet (`to_bad`, `to_good`) as netem.
    private func gilbertElliott(_ nested: ObjectReader) -> LossModel? {
        let inGood: Probability = nested.quantity("loss_in_good") ?? .never
        let inBad: Probability = nested.quantity("loss_in_bad") ?? .always
        if nested.has("to_bad") || nested.has("to_good") {
            let toBad: Probability? = nested.requiredQuantity("to_bad", example: "1%")
            let toGood: Probability? = nested.requiredQuantity("to_good", example: "20%")
            nested.finish()
            guard let toBad, let toGood else { return nil }
            return .gilbertElliottByPacket(
                toBad: toBad,
                toGood: toGood,
                lossInBad: inBad,
                lossInGood: inGood
            )
        }
        let good: Duration? = nested.requiredQuantity("good", example: "12s")
        let bad: Duration? = nested.requiredQuantity("bad", example: "300ms")
        nested.finish()
        guard let good, let bad else { return nil }
        for (key, span) in [("good", good), ("bad", bad)] where span == .zero {
            nested.fail(key, "a state of no time", remedy: "write a mean above zero")
            return nil
        }
        return .gilbertElliottByTime(
            goodMean: good,
            badMean: bad,
            lossInGood: inGood,
            lossInBad: inBad
        )
    }
}
