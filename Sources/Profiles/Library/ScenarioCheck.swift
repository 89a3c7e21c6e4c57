import Budgets
import Measurements
import NetworkModel
import PhoneModel
import Quantities
import ServerModel

/// Checks what no single key can tell: whether the parts of a scenario go together.
struct ScenarioCheck {
    let diagnostics: ProfileDiagnostics

    func check(_ scenario: Scenario, places: ObjectReader) {
        checkFaults(scenario)
        checkLength(scenario, places: places)
        checkPhases(scenario, places: places)
        checkStatistics(scenario)
        checkResponses(scenario)
        checkTransport(scenario, places: places)
        checkLive(scenario, places: places)
        checkRides(scenario)
        checkFleet(scenario)
        checkSystem(scenario, places: places)
        checkTokens(scenario, places: places)
    }

    /// Whoever is to be signed in needs a server that asks for it, and an app that can.
    private func checkTokens(_ scenario: Scenario, places: ObjectReader) {
        guard let policy = scenario.conditions.server.configuration.tokens else {
            for fault in scenario.faults where fault.kind.isOfSession {
                diagnostics.error(
                    at: fault.location,
                    "nobody is signed in: the server asks for no tokens",
                    remedy: "add \"server\": { \"tokens\": { \"access_tokens_live\": \"10min\" } }"
                )
            }
            return
        }
        if let fleet = scenario.scenario.fleet, !fleet.isOfPhones {
            diagnostics.error(
                at: places.location(of: "server"),
                "callers sign in nowhere: a server that asks for \"tokens\" answers none of them",
                remedy:
                    "take \"tokens\" out, or make it a fleet of phones: a \"workload\" in place "
                    + "of \"call\""
            )
        }
        if policy.refreshTokensWorkOnce, policy.usedRefreshToken == .isRefused {
            diagnostics.warn(
                at: places.location(of: "server"),
                "an answer to a refresh that is lost signs the person out, whatever the client does",
                remedy: "add \"used_refresh_token\": \"until_successor_used\", or a time such as "
                    + "\"60s\", if the server forgives that"
            )
        }
    }

    /// What happens to a phone in a pocket needs a system that knows of pockets.
    private func checkSystem(_ scenario: Scenario, places: ObjectReader) {
        guard let system = scenario.conditions.system else {
            for entry in scenario.scenario.workload where entry.action.needsSystem {
                diagnostics.error(
                    at: entry.location,
                    "\"\(entry.action.verb.rawValue)\" needs an operating system's policy",
                    remedy: "add \"os\": \"\(scenario.conditions.device.operatingSystem)\""
                )
            }
            if scenario.scenario.app.uploader.background {
                diagnostics.error(
                    at: places.location(of: "app"),
                    "no system is there that could carry uploads out",
                    remedy: "add \"os\": \"\(scenario.conditions.device.operatingSystem)\""
                )
            }
            return
        }
        if let fleet = scenario.scenario.fleet {
            diagnostics.error(
                at: places.location(of: "os"),
                fleet.isOfPhones
                    ? "the phones of a fleet share the clock that stands while a phone sleeps"
                    : "a fleet of callers has no phones that a system could rule",
                remedy: "drop \"os\" or the fleet"
            )
        }
        if scenario.scenario.app.live != nil {
            diagnostics.error(
                at: places.location(of: "app"),
                "an event stream (\"live\") is not suspended with its app",
                remedy: "drop \"live\" or \"os\""
            )
        }
        let device = scenario.conditions.device
        guard !system.policy.name.isEmpty, system.policy.name != device.operatingSystem else {
            return
        }
        diagnostics.warn(
            at: places.location(of: "os"),
            "the device is one of \(device.operatingSystem), the policy is \(system.policy.name)",
            remedy: "take a device of that system, or say so: \"device\": { …, \"os\": … }"
        )
    }

    /// Callers feel what the server does; what happens to a phone is refused, not ignored.
    private func checkFleet(_ scenario: Scenario) {
        guard let fleet = scenario.scenario.fleet, !fleet.isOfPhones else { return }
        for fault in scenario.faults {
            if fault.kind == .serverUnavailable, case .at = fault.placement { continue }
            diagnostics.error(
                at: fault.location,
                "callers know no \"\(fault.kind.rawValue)\" there",
                remedy: "use \"server.unavailable\" with \"at\", or make it a fleet of phones: "
                    + "a \"workload\" in place of \"call\""
            )
        }
    }

    /// What rides on another app goes on while the run is active, so the run needs a length.
    private func checkRides(_ scenario: Scenario) {
        guard scenario.activeDuration == .zero else { return }
        for entry in scenario.scenario.workload {
            guard case .with(let owner) = entry.schedule else { continue }
            diagnostics.error(
                at: entry.location,
                "the action goes with \"\(owner)\", and the run has no length",
                remedy: "say how long: \"run\": { \"for\": \"1h\" }"
            )
        }
    }

    /// Who listens needs somebody who speaks, and packets.
    private func checkLive(_ scenario: Scenario, places: ObjectReader) {
        let speaks = scenario.conditions.server.stream != nil
        let listens = scenario.scenario.app.live != nil
        if listens, !speaks {
            diagnostics.error(
                at: places.location(of: "app"),
                "the app listens (\"live\") to a server that publishes nothing",
                remedy: "add \"server\": { \"stream\": { \"every\": \"30s\" } }"
            )
        }
        if speaks, !listens {
            diagnostics.warn(
                at: places.location(of: "server"),
                "nobody listens to the server's \"stream\"",
                remedy: "add \"app\": { \"live\": { \"over\": \"sse\" } }"
            )
        }
        let phases = scenario.conditions.network.conditions.phases
        if listens, phases.contains(where: { $0.proxy != nil }) {
            diagnostics.error(
                at: places.location(of: "app"),
                "a \"proxy\" lets no event stream by",
                remedy: "drop \"proxy\", or \"live\""
            )
        }
        if listens, scenario.conditions.network.transport.kind == .ideal {
            diagnostics.error(
                at: places.location(of: "app"),
                "the ideal transport knows no event streams",
                remedy: "drop \"transport\": \"ideal\""
            )
        }
    }

    /// The ideal transport carries payload at a rate; what it has no notion of is refused, not ignored.
    private func checkTransport(_ scenario: Scenario, places: ObjectReader) {
        let network = scenario.conditions.network
        guard network.transport.kind == .ideal else { return }
        var unknown: [String] = []
        for phase in network.conditions.phases {
            if phase.rtt > .zero { unknown.append("\"rtt\" or \"one_way\"") }
            if phase.jitter > .zero { unknown.append("\"jitter\"") }
            if phase.nameLookup > .zero { unknown.append("\"dns\"") }
            if phase.down.loss != .none || phase.up.loss != .none { unknown.append("\"loss\"") }
            if phase.interruptions.contains(where: { $0.kind != .down }) {
                unknown.append("a dead zone that nobody notices")
            }
        }
        for part in unknown.prefix(1) {
            diagnostics.error(
                at: places.location(of: "network"),
                "the ideal transport knows no \(part)",
                remedy: "set it to zero, or drop \"transport\": \"ideal\""
            )
        }
        if network.conditions.phases.contains(where: { $0.proxy != nil }) {
            diagnostics.error(
                at: places.location(of: "network"),
                "the ideal transport knows no \"proxy\"",
                remedy: "leave it out, or drop \"transport\": \"ideal\""
            )
        }
        let lossy: [FaultKind] = [
            .responseLost, .requestLost, .networkBlackhole, .networkCaptive,
        ]
        for fault in scenario.faults where lossy.contains(fault.kind) {
            diagnostics.error(
                at: fault.location,
                "the ideal transport knows no \"\(fault.kind.rawValue)\"",
                remedy: "use \"connection.reset\" or \"network.down\", or drop the transport"
            )
        }
    }

    /// The server has one answer a route, so two sizes contradict each other.
    private func checkResponses(_ scenario: Scenario) {
        var sizes: [String: ByteCount] = [:]
        for entry in scenario.scenario.workload {
            guard let request = entry.action.call else { continue }
            let first = sizes[request.route, default: request.responseSize]
            sizes[request.route] = first
            guard first != request.responseSize else { continue }
            diagnostics.error(
                at: entry.location,
                "\(request.route) answers \(request.responseSize) here and \(first) above",
                remedy: "give both the same \"response\", or call another path"
            )
        }
    }

    /// A percentile over too few seeds is their largest value and says so little.
    private func checkStatistics(_ scenario: Scenario) {
        let count = scenario.run.seeds.count
        for budget in scenario.scenario.budgets {
            let statistic = budget.rule.statistic
            let isSampled = budget.rule.metric.definition?.isSampled ?? true
            let needed = statistic.smallestUsefulCount
            guard !isSampled, count < needed else { continue }
            diagnostics.warn(
                at: budget.location,
                "\(statistic.rawValue) over "
                    + (count == 1 ? "1 seed is its" : "\(count) seeds is their largest")
                    + " value",
                remedy: "run at least \(needed) seeds, or write \"max\""
            )
        }
    }

    private func checkFaults(_ scenario: Scenario) {
        let end = scenario.activeDuration
        for fault in scenario.faults {
            guard case .at(let instant) = fault.placement, instant > end else { continue }
            diagnostics.error(
                at: fault.location,
                "the fault strikes at \(instant.compactText), after the run's end at \(end.compactText)",
                remedy: "place it earlier, or lengthen \"run\": { \"for\": … }"
            )
        }
    }

    private func checkLength(_ scenario: Scenario, places: ObjectReader) {
        guard let length = scenario.run.duration else { return }
        let start = scenario.scenario.fleet?.starts.lower ?? .zero
        for entry in scenario.scenario.workload where start + entry.schedule.earliestEnd > length {
            diagnostics.error(
                at: entry.location,
                "the action goes on until \((start + entry.schedule.earliestEnd).compactText), "
                    + "the run ends at \(length.compactText)",
                remedy: "lengthen \"run\": { \"for\": … } or do it less often"
            )
        }
    }

    private func checkPhases(_ scenario: Scenario, places: ObjectReader) {
        let phases = scenario.conditions.network.conditions.phases
        guard phases.last?.duration != nil else { return }
        let end = scenario.conditions.network.boundedDuration
        let latest = scenario.scenario.workload.map(\.schedule.earliestEnd).max() ?? .zero
        guard latest > end else { return }
        diagnostics.warn(
            at: places.location(of: "network"),
            "the phases end at \(end.compactText), the workload goes on until at least "
                + latest.compactText,
            remedy: "the last phase lasts on; drop its \"for\" to say so"
        )
    }
}
