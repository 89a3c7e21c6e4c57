/// Whether there is a baseline that a run can be compared with.
package enum BaselineState: Sendable, Equatable {
    /// It was made under the same weather.
    case current(BudgetBaseline)
    /// It cannot be compared with, for this reason, half a sentence.
    case stale(String)
    /// There is none at this path.
    case missing(String)

    /// Judges what a file held against what is run now.
    package init(
        _ baseline: BudgetBaseline?,
        path: String,
        profile: String,
        mode: String,
        weather: String
    ) {
        guard let baseline else {
            self = .missing(path)
            return
        }
        if baseline.profile != profile {
            self = .stale("\(path) is of profile '\(baseline.profile)'")
        } else if let origin = baseline.origin, origin.weather != weather {
            self = .stale("the profile has changed since \(path) was made: the weather is another")
        } else if let origin = baseline.origin, origin.mode != mode {
            self = .stale("\(path) was made in \(origin.mode) mode, and this is \(mode) mode")
        } else if !baseline.metrics.contains(where: { $0.perSeed != nil }) {
            self = .stale("\(path) keeps no value a seed, so nothing can be paired")
        } else {
            self = .current(baseline)
        }
    }

    /// The baseline, if it can be compared with.
    package var baseline: BudgetBaseline? {
        guard case .current(let baseline) = self else { return nil }
        return baseline
    }
}
