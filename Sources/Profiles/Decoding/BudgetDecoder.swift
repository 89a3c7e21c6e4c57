import Budgets

/// Reads a profile's `budgets`.
struct BudgetDecoder {
    let diagnostics: ProfileDiagnostics

    func decode(_ value: JSONCValue?) -> [BudgetEntry] {
        guard let value else { return [] }
        guard let members = value.members else {
            diagnostics.error(
                at: value.location,
                "\(value.kindText) stands where budgets belong",
                remedy: "write { \"radio.energy_j\": \"p95 <= 950J\" }"
            )
            return []
        }
        return members.flatMap { member in
            (member.value.elements ?? [member.value]).compactMap { decode($0, metric: member) }
        }
    }

    private func decode(_ value: JSONCValue, metric: JSONCMember) -> BudgetEntry? {
        if let text = value.string {
            return rule(metric, text, level: .fail, at: value.location)
        }
        guard value.members != nil else {
            diagnostics.error(
                at: value.location,
                "\(value.kindText) stands where a limit belongs",
                remedy: "write \"p95 <= 950J\""
            )
            return nil
        }
        let reader = ObjectReader(value, as: "budget", diagnostics: diagnostics)
        let limit = reader.requiredString("limit", example: "p95 <= 450")
        let level: BudgetLevel = reader.choice("level") ?? .fail
        reader.finish()
        let location = value["limit"]?.location ?? value.location
        return limit.flatMap { rule(metric, $0, level: level, at: location) }
    }

    private func rule(
        _ metric: JSONCMember,
        _ text: String,
        level: BudgetLevel,
        at location: SourceLocation
    ) -> BudgetEntry? {
        do throws(BudgetRuleError) {
            let rule = try BudgetRule(metric: metric.key, text: text, level: level)
            return BudgetEntry(rule: rule, location: location)
        } catch {
            let isAboutMetric = error.text == metric.key
            diagnostics.error(
                at: isAboutMetric ? metric.keyLocation : location,
                "'\(error.text)' \(error.problem)",
                remedy: error.remedy
            )
            return nil
        }
    }
}
