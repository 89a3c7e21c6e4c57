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
            return BudgetEntry(
                metric: metric.key,
                limit: text,
                level: .fail,
                location: value.location
            )
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
        let level: BudgetEntry.Level = reader.choice("level") ?? .fail
        reader.finish()
        let location = reader.value("limit")?.location ?? value.location
        return limit.map {
            BudgetEntry(metric: metric.key, limit: $0, level: level, location: location)
        }
    }
}
