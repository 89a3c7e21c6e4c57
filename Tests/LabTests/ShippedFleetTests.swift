import Budgets
import Measurements
import Profiles
import Testing

/// The shipped crowds, made small: they pass as they ship, and the herd does not without jitter.
@Suite struct ShippedFleetTests {
    /// Runs one seed of a shipped profile with changes.
    static func run(_ name: String, _ changes: [String]) throws -> ProfileRun {
        let overrides = changes.compactMap { ProfileOverride($0) }
        #expect(overrides.count == changes.count)
        return try LabRuns.run(ScenarioReader.scenario(name, overrides: overrides))
    }

    /// A twentieth of the herd, and of what its server can do: a twentieth of its 200 requests is allowed.
    static let herd = ["fleet.clients=500", "server.capacity=50", "run.settle=2min"]
    static let allowed = 200.0 / 20

    static func recovery(_ run: ProfileRun) throws -> Double {
        try #require(run.budgets.first { $0.metric.text == "fleet.recovery_requests" }?.value)
    }

    @Test func `a thundering herd passes with the jitter that it ships with`() throws {
        let run = try Self.run("thundering-herd", Self.herd)
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
        #expect(run.seeds[0].faults.map(\.fired) == [1])
        #expect(try Self.recovery(run) <= Self.allowed)
    }

    // Without jitter all wait for the same instants: what came within one second comes back within one, 50 in
    // each tenth of it.
    @Test func `a thundering herd without jitter asks more than its budget allows`() throws {
        let run = try Self.run("thundering-herd", Self.herd + ["app.retry.jitter=none"])
        #expect(run.seeds[0].faults.map(\.fired) == [1])
        #expect(try Self.recovery(run) >= 50)
    }

    // Ten phones for an hour and one death in twenty minutes each: 30 deaths are to be expected.
    @Test func `ten phones of the fleet lose nothing`() throws {
        let run = try Self.run("phone-fleet", ["fleet.clients=10"])
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
        #expect(run.seeds[0].value(of: MetricName("outbox.acknowledged")) == 100)
        #expect(run.seeds[0].faults.allSatisfy { $0.fired > 0 })
    }
}
