import Measurements
import Quantities
import SimulationKernel

extension GuaranteeBreach {
    /// A worker that died over a seed: when on the app's clock, and what it said.
    package static func crash(seed: UInt64, cause: String, lastWords: String) -> GuaranteeBreach {
        let words = lastWords.split(separator: "\n").first ?? "it said nothing"
        return .crash(
            seed: seed,
            at: TrapNote.instant(in: lastWords) ?? .zero,
            detail: "\(cause): \(words)"
        )
    }
}
