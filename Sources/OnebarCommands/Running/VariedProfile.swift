import Profiles

/// A profile that was named on the command line, with the changes that one run of it has.
struct VariedProfile {
    let operand: String
    let overrides: [ProfileOverride]
    let loaded: ScenarioLoading.Loaded
    /// The value that is varied; nil without `--vary`.
    let value: String?

    /// The profile once, or once for each value that is varied.
    static func all(of operand: String, _ plan: RunPlan) throws(CommandFailure) -> [VariedProfile] {
        guard let variation = plan.variation else {
            return [try VariedProfile(operand, plan.overrides, value: nil)]
        }
        var all: [VariedProfile] = []
        for value in variation.values {
            guard
                let change = ProfileOverride(key: variation.key, value: value, option: "--vary")
            else { continue }
            all.append(try VariedProfile(operand, plan.overrides + [change], value: value))
        }
        return all
    }

    /// Reads the profile with its changes.
    init(_ operand: String, _ overrides: [ProfileOverride], value: String?) throws(CommandFailure) {
        self.operand = operand
        self.overrides = overrides
        self.value = value
        loaded = try ScenarioLoading.load(operand, overrides)
    }

    /// The profile's name, and the value that is varied.
    var name: String { value.map { "\(loaded.scenario.name) \($0)" } ?? loaded.scenario.name }

    /// Where its report goes.
    func folder(in out: String) -> String {
        let base = "\(out)/\(loaded.scenario.name)"
        guard let value else { return base }
        let safe = value.map { $0.isLetter || $0.isNumber || "-._".contains($0) ? $0 : "_" }
        return "\(base)/vary/\(String(safe))"
    }

    /// The line that runs one seed of it again.
    var replayTemplate: String {
        let changes = overrides.map { " --set \(ShellText.quoted($0.text))" }.joined()
        return "onebar run \(ShellText.word(operand)) --seeds {seed}\(changes)"
    }
}
