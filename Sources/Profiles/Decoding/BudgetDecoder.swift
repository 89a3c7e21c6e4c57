import Budgets
import Measurements

/// Reads a profile's `budgets`: its own lines, packs by name, or an array of both.
///
/// Packs add up. A line of the profile takes the place of a pack's, or of an extended profile's, on
/// the same side of the same statistic of the same metric; `null` takes away all that they say of a
/// metric.
struct BudgetDecoder {
    let resolver: PresetResolver

    private var diagnostics: ProfileDiagnostics { resolver.diagnostics }

    func decode(_ value: JSONCValue?) -> [BudgetEntry] {
        guard let value else { return [] }
        let entries = value.members != nil ? lines(value, pack: nil) : parts(value)
        refuseRepeats(entries)
        return entries
    }

    private func parts(_ value: JSONCValue) -> [BudgetEntry] {
        var entries: [BudgetEntry] = []
        var packs: [String] = []
        for part in value.elements ?? [value] {
            if let name = part.string {
                guard !packs.contains(name) else {
                    diagnostics.error(
                        at: part.location,
                        "the budget pack \"\(name)\" is named twice",
                        remedy: "name it once"
                    )
                    continue
                }
                packs.append(name)
                entries += pack(part)
            } else if part.members != nil {
                entries = overlaid(entries, by: part)
            } else {
                diagnostics.error(
                    at: part.location,
                    "\(part.kindText) stands where budgets belong",
                    remedy: "write { \"radio.energy_j\": \"p95 <= 950J\" } or the name of a pack"
                )
            }
        }
        return entries
    }

    // MARK: extending

    /// `merged` with the budgets of the extended profile before those of the `child`: a line of the child takes
    /// the place of one on the same side only.
    static func joining(
        _ parent: JSONCValue?,
        to merged: JSONCValue,
        of child: JSONCValue
    ) -> JSONCValue {
        guard let parent, let own = child["budgets"], let members = merged.members
        else { return merged }
        if case .null = own.content { return merged }
        let before = parent.elements ?? [parent]
        let packs = before.compactMap(\.string)
        // A child may name a pack that its parent has: it would, had it not looked.
        let added = (own.elements ?? [own]).filter {
            $0.string.map { !packs.contains($0) } ?? true
        }
        let joined = JSONCValue(.array(before + added), at: own.location)
        return JSONCValue(
            .object(
                members.map {
                    $0.key == "budgets"
                        ? JSONCMember(key: $0.key, keyLocation: $0.keyLocation, value: joined) : $0
                }
            ),
            at: merged.location
        )
    }

    // MARK: packs

    /// The lines of a pack that a profile names.
    private func pack(_ naming: JSONCValue) -> [BudgetEntry] {
        guard let (name, object) = resolver.resolve(naming, kind: .budgets, key: "pack") else {
            return []
        }
        return pack(name, object)
    }

    /// The lines of a pack's file.
    func pack(_ name: String, _ object: JSONCValue) -> [BudgetEntry] {
        let reader = ObjectReader(object, as: "budget pack", diagnostics: diagnostics)
        _ = PresetHeader(reader)
        let budgets = reader.requiredValue("budgets", example: "{ … }")
        reader.finish()
        return budgets.map { lines($0, pack: name) } ?? []
    }

    /// `entries` with the lines of a part in place of those of packs and of an extended profile that
    /// bound the same figures on the same side.
    private func overlaid(_ entries: [BudgetEntry], by object: JSONCValue) -> [BudgetEntry] {
        var kept = entries
        var own: [JSONCMember] = []
        for member in object.members ?? [] {
            guard case .null = member.value.content else {
                own.append(member)
                continue
            }
            let count = kept.count
            kept.removeAll { $0.rule.metric.text == member.key }
            if kept.count == count {
                diagnostics.error(
                    at: member.keyLocation,
                    "nothing before has a limit on '\(member.key)' to take away",
                    remedy: "remove the line"
                )
            }
        }
        let added = lines(JSONCValue(.object(own), at: object.location), pack: nil)
        kept.removeAll { old in
            added.contains { new in
                let isOfThisFile = old.rule.pack == nil && old.location.path == new.location.path
                return !isOfThisFile && Self.boundTheSame(old.rule, new.rule)
            }
        }
        return kept + added
    }

    private static func boundTheSame(_ one: BudgetRule, _ other: BudgetRule) -> Bool {
        one.metric == other.metric && one.statistic == other.statistic
            && (one.comparison == .atLeast) == (other.comparison == .atLeast)
    }

    /// Of two own limits on one side of a figure only the stricter says anything.
    ///
    /// One that warns before another fails does, and so does one on a baseline beside a fixed one.
    private func refuseRepeats(_ entries: [BudgetEntry]) {
        let own = entries.filter { $0.rule.pack == nil }
        for (index, entry) in own.enumerated() {
            let first = own[..<index].first {
                Self.boundTheSame($0.rule, entry.rule) && $0.rule.level == entry.rule.level
                    && $0.rule.limit.isFixed == entry.rule.limit.isFixed
            }
            guard let first else { continue }
            diagnostics.error(
                at: entry.location,
                "'\(entry.rule.text)' limits \(entry.rule.metric) "
                    + "\(entry.rule.statistic.rawValue) on the same side as "
                    + "'\(first.rule.text)' at \(first.location)",
                remedy: "keep the stricter, or let one of them warn: "
                    + "{ \"limit\": …, \"level\": \"warn\" }"
            )
        }
    }

    // MARK: lines

    private func lines(_ value: JSONCValue, pack: String?) -> [BudgetEntry] {
        guard let members = value.members else {
            diagnostics.error(
                at: value.location,
                "\(value.kindText) stands where budgets belong",
                remedy: "write { \"radio.energy_j\": \"p95 <= 950J\" }"
            )
            return []
        }
        return members.flatMap { member in
            (member.value.elements ?? [member.value]).compactMap {
                line($0, metric: member, pack: pack)
            }
        }
    }

    private func line(_ value: JSONCValue, metric: JSONCMember, pack: String?) -> BudgetEntry? {
        if let text = value.string, pack == nil {
            return rule(metric, text, level: .fail, pack: nil, at: value.location)
        }
        guard value.members != nil else {
            diagnostics.error(
                at: value.location,
                "\(value.kindText) stands where a limit belongs",
                remedy: pack == nil
                    ? "write \"p95 <= 950J\""
                    : "write { \"limit\": \"p95 <= 950J\", \"source\": \"…\" }"
            )
            return nil
        }
        let reader = ObjectReader(value, as: "budget", diagnostics: diagnostics)
        let limit = reader.requiredString("limit", example: "p95 <= 450")
        let level: BudgetLevel = reader.choice("level") ?? .fail
        let source = reader.string("source") ?? reader.string("assumption")
        _ = reader.string("assumption")
        reader.finish()
        if pack != nil, source == nil {
            diagnostics.error(
                at: value.location,
                "the limit does not say where its figure comes from",
                remedy: "add \"source\": … or \"assumption\": …"
            )
        }
        let location = value["limit"]?.location ?? value.location
        return limit.flatMap { rule(metric, $0, level: level, pack: pack, at: location) }
    }

    private func rule(
        _ metric: JSONCMember,
        _ text: String,
        level: BudgetLevel,
        pack: String?,
        at location: SourceLocation
    ) -> BudgetEntry? {
        do throws(BudgetRuleError) {
            let rule = try BudgetRule(metric: metric.key, text: text, level: level, pack: pack)
            warnIfSlip(metric)
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

    /// A metric of one's own may have any name, but one next to the lab's is most likely a slip.
    private func warnIfSlip(_ metric: JSONCMember) {
        guard MetricName(metric.key).definition == nil,
            let near = MetricCatalogue.all.map(\.name.text)
                .first(where: { EditDistance.between($0, metric.key) <= Self.slip })
        else { return }
        diagnostics.warn(
            at: metric.keyLocation,
            "'\(metric.key)' is none of the lab's metrics",
            remedy: "did you mean \"\(near)\"? A metric of your own keeps its name"
        )
    }

    /// Edits within which two names are taken for one (assumption).
    private static let slip = 2
}
