import Budgets
import Measurements
import Quantities

/// `junit.xml`: one case for each budget, each guarantee and each fault of a profile.
///
/// Elements and attributes of the schema that Jenkins publishes (junit-10.xsd). It carries no time:
/// host time differs from run to run, and virtual time is not what CI servers plot.
package enum JUnitXML {
    private struct Case {
        let group: String
        let name: String
        var failure: (type: String, message: String, detail: String)?
        /// What could not be judged, which is no failure of what was tested.
        var error: (type: String, message: String, detail: String)?
        var skipped: String?
    }

    /// The file of `runs`: a suite for each.
    package static func text(of runs: [ProfileRun]) -> String {
        text(of: runs.map { (run: $0, cases: cases(of: $0)) })
    }

    /// The file of gates: also a case for each comparison; what a known failure excuses is skipped.
    package static func text(of gates: [GateReport]) -> String {
        text(of: gates.map { (run: $0.run, cases: cases(of: $0)) })
    }

    private static func text(of suites: [(run: ProfileRun, cases: [Case])]) -> String {
        let total = suites.reduce(0) { $0 + $1.cases.count }
        let failures = suites.reduce(0) { $0 + $1.cases.count { $0.failure != nil } }
        let errors = suites.reduce(0) { $0 + $1.cases.count { $0.error != nil } }
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites name=\"onebar\" tests=\"\(total)\" failures=\"\(failures)\" "
        text += "errors=\"\(errors)\">\n"
        for suite in suites { write(suite.cases, of: suite.run, to: &text) }
        return text + "</testsuites>\n"
    }

    private static func write(_ cases: [Case], of run: ProfileRun, to text: inout String) {
        let failures = cases.count { $0.failure != nil }
        let errors = cases.count { $0.error != nil }
        let skipped = cases.count { $0.skipped != nil }
        text += "  <testsuite name=\"\(MarkupText.escaped(run.profile))\" tests=\"\(cases.count)\" "
        text += "failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\">\n"
        text += "    <properties>\n"
        let properties = [
            ("mode", run.mode), ("fingerprint", run.fingerprint),
            ("seeds", SeedListText.text(run.seeds.map(\.seed))),
            ("radios", run.radios.map(\.text).joined(separator: ", ")),
        ]
        for (name, value) in properties {
            text += "      <property name=\"\(name)\" value=\"\(MarkupText.escaped(value))\"/>\n"
        }
        text += "    </properties>\n"
        for entry in cases {
            let group = MarkupText.escaped("\(run.profile).\(entry.group)")
            text +=
                "    <testcase classname=\"\(group)\" name=\"\(MarkupText.escaped(entry.name))\""
            if let failure = entry.failure ?? entry.error {
                let element = entry.failure == nil ? "error" : "failure"
                text += ">\n      <\(element) type=\"\(MarkupText.escaped(failure.type))\" "
                text += "message=\"\(MarkupText.escaped(failure.message))\">"
                text += MarkupText.escaped(failure.detail) + "</\(element)>\n    </testcase>\n"
            } else if let skipped = entry.skipped {
                text += ">\n      <skipped message=\"\(MarkupText.escaped(skipped))\"/>\n"
                text += "    </testcase>\n"
            } else {
                text += "/>\n"
            }
        }
        text += "  </testsuite>\n"
    }

    private static func cases(of run: ProfileRun) -> [Case] {
        let own = Set(run.breaches.map(\.guarantee)).subtracting(GuaranteeName.builtIn).sorted()
        return run.budgets.map(budget)
            + (GuaranteeName.builtIn + own).map { guarantee($0, of: run) }
            + faults(of: run) + [ran(run)]
    }

    private static func cases(of gate: GateReport) -> [Case] {
        let excused = gate.verdict.excused
        var cases = cases(of: gate.run)
        for comparison in gate.verdict.comparisons {
            var entry = Case(group: "baseline", name: GateFailure.name(of: comparison))
            if gate.verdict.reasons.contains(comparison.sentence) {
                if comparison.isOpen {
                    entry.error = ("inconclusive", comparison.sentence, "")
                } else {
                    entry.failure = ("regression", comparison.sentence, "")
                }
            } else if comparison.isOpen || comparison.kind == .worse {
                entry.skipped = comparison.sentence
            }
            cases.append(entry)
        }
        for index in cases.indices {
            guard let found = excused.first(where: { $0.failure.name == cases[index].name }) else {
                continue
            }
            cases[index].failure = nil
            cases[index].skipped =
                "known until \(found.known.until), \(found.known.owner): \(found.known.reason)"
        }
        var gateCase = Case(group: "gate", name: "gate")
        if gate.verdict.outcome != .pass {
            let word = gate.verdict.verdict.text
            let reasons = gate.verdict.reasons
            let told = (
                word, "\(word): \(reasons.first ?? "no reason")", reasons.joined(separator: "\n")
            )
            if gate.verdict.verdict == .undecided {
                gateCase.error = told
            } else {
                gateCase.failure = told
            }
        }
        return cases + [gateCase]
    }

    private static func budget(_ verdict: BudgetVerdict) -> Case {
        var entry = Case(
            group: "budgets",
            name: "\(verdict.metric): \(verdict.rule.text)"
        )
        switch verdict.verdict {
        case .pass, .warn: break
        case .noBaseline, .notJudged: entry.skipped = verdict.note
        case .fail, .untested:
            entry.failure = (
                verdict.verdict == .fail ? "budget" : "untested", verdict.sentence, verdict.note
            )
        }
        return entry
    }

    private static func guarantee(_ name: GuaranteeName, of run: ProfileRun) -> Case {
        var entry = Case(group: "guarantees", name: name.text)
        let breaches = run.breaches.filter { $0.guarantee == name }
        guard let first = breaches.first else { return entry }
        let detail = breaches.prefix(10).map { breach in
            let story = breach.story.map { "  \($0.instant)  \($0.text)\n" }.joined()
            return "seed \(breach.seed), \(breach.instant): \(breach.message)\n\(story)"
                + "replay: \(run.replay(breach.seed))\n"
        }
        entry.failure = ("guarantee", first.message, "\n" + detail.joined(separator: "\n"))
        return entry
    }

    private static func faults(of run: ProfileRun) -> [Case] {
        FaultTotal.all(of: run.seeds).map { fault in
            var entry = Case(group: "faults", name: "fires: \(fault.name)")
            if let skipped = fault.skipped {
                entry.skipped = skipped
            } else if fault.firedSeeds == 0 {
                let message = "fault '\(fault.name)' never fired"
                entry.failure = ("untested", message, fault.detail)
            }
            return entry
        }
    }

    private static func ran(_ run: ProfileRun) -> Case {
        var entry = Case(group: "run", name: "runs and reproduces")
        if [.labFault, .notReproducible].contains(run.verdict.outcome) || run.seeds.isEmpty {
            let reasons = run.verdict.reasons.joined(separator: "\n")
            entry.failure = ("run", run.verdict.reasons.first ?? "no seed ran", reasons)
        }
        return entry
    }
}
