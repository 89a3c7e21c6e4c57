import Budgets
import Lab
import NetworkModel
import PhoneModel
import Profiles

/// Reads profiles for commands: every mistake becomes a failure with place, remedy and exit code.
enum ScenarioLoading {
    /// A scenario and its budgets.
    struct Loaded {
        let scenario: Scenario
        let rules: [BudgetRule]

        /// The radios as reports name them: never joules without year and grade.
        var radioNotes: [RadioNote] {
            // Callers have no radio.
            guard scenario.scenario.fleet?.isOfPhones ?? true else { return [] }
            let used = Set(scenario.conditions.network.conditions.phases.map(\.interface))
            let radios = scenario.conditions.radios
            return [(NetworkInterface.cellular, radios.cellular), (.wifi, radios.wifi)]
                .filter { used.contains($0.0) }
                .map { role, model in
                    RadioNote(
                        role: role.rawValue,
                        name: model.name,
                        year: model.year,
                        grade: model.grade.rawValue
                    )
                }
        }
    }

    /// Reads the profile of this name or path, with `overrides` put over it.
    static func load(
        _ nameOrPath: String,
        _ overrides: [ProfileOverride] = []
    ) throws(CommandFailure) -> Loaded {
        do {
            let scenario = try ScenarioReader.scenario(nameOrPath, overrides: overrides)
            return Loaded(scenario: scenario, rules: scenario.scenario.budgets.map(\.rule))
        } catch {
            throw failure(of: error)
        }
    }

    /// What runs the seeds of this profile.
    static func runner(
        _ nameOrPath: String,
        _ overrides: [ProfileOverride] = []
    ) throws(CommandFailure) -> SeedRunner {
        SeedRunner(scenario: try load(nameOrPath, overrides).scenario)
    }

    /// Reads `KEY=VALUE` as `--set` has it.
    static func override(_ text: String) throws(CommandFailure) -> ProfileOverride {
        guard let change = ProfileOverride(text) else {
            throw .usage("'\(text)' changes nothing", remedy: "write --set app.retry.base=2s")
        }
        return change
    }

    /// The failure that a profile's error is for the command line.
    static func failure(of error: ProfileError) -> CommandFailure {
        CommandFailure(
            error.problems.map(\.description),
            code: error.kind == .missing ? .missingInput : .badInput
        )
    }
}
