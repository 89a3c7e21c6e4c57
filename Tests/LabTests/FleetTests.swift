import Foundation
import Measurements
import Profiles
import Quantities
import SimulationKernel
import Testing

@testable import Lab

/// Crowds: when the requests of many clients with the real retry policy reach one server.
@Suite struct FleetTests {
    private func world(
        _ profile: String,
        seed: UInt64,
        jitter: String? = nil,
        clients: Int? = nil
    ) throws -> FleetWorld {
        let changes = [
            jitter.flatMap { ProfileOverride(key: "app.retry.jitter", value: $0) },
            clients.flatMap { ProfileOverride(key: "fleet.clients", value: "\($0)") },
        ]
        let scenario = try ScenarioReader.scenario(profile, overrides: changes.compactMap(\.self))
        let fleet = try #require(scenario.scenario.fleet)
        return FleetWorld(scenario: scenario, fleet: fleet, seed: seed, mode: .current)
    }

    private func played(_ world: FleetWorld) -> [Int] {
        #expect(world.play() == nil)
        return world.arrivalsByWindow
    }

    /// 10,000 first calls at zero, then one draw of U(0, 8 s) each: 125 per 100 ms, sd 11.1.
    @Test(arguments: Sweep.seeds(quick: 1, wide: 3))
    func `full jitter spreads a herd evenly below its ceiling`(seed: UInt64) throws {
        let counts = played(try world("textbook/F7", seed: seed))
        let retries = counts[1..<80]
        let mean = Double(retries.reduce(0, +)) / Double(retries.count)
        // A mean of 79 windows has a standard error of 11.1 / sqrt(79) = 1.25 at most.
        #expect(abs(mean - 125) < 3.75)
        #expect(try #require(retries.max()) < 175)
        // What drew less than the outage's millisecond asks a third time: one or two of 10,000.
        #expect((20_000...20_012).contains(counts.reduce(0, +)))
    }

    @Test func `without jitter the herd comes back in one window`() throws {
        let counts = played(try world("textbook/F7", seed: 1, jitter: "none"))
        #expect(counts.filter { $0 > 0 } == [10_000, 10_000])
        #expect(counts[80] == 10_000)
    }

    /// Instant attempts whose waits have a mean of 4 s: N x 0.1 / 4 = 62.5 per 100 ms in the long run.
    ///
    /// The renewal density of U(0, 8 s) grows as exp(t / 8) / 8 until 8 s and then falls: the largest
    /// windows hold 2,500 x 0.1 x e / 8 = 85, the next ones about 54. A window's deviation is at most
    /// that of Poisson arrivals, 9.2 at 85 and 7.4 at 54; that of a mean of four is half of it.
    @Test func `clients that keep failing settle at the ceiling's mean rate`() throws {
        let outage = #"[{"fault":"server.unavailable","at":"0s","for":"60s","status":503}]"#
        let changes = ["run.for=60s", "fleet.clients=2500", "faults=\(outage)"]
            .compactMap { ProfileOverride($0) }
        let scenario = try ScenarioReader.scenario("textbook/F7", overrides: changes)
        let fleet = try #require(scenario.scenario.fleet)
        let counts = played(
            FleetWorld(scenario: scenario, fleet: fleet, seed: 1, mode: .current)
        )
        let late = counts[300..<600]
        let mean = Double(late.reduce(0, +)) / Double(late.count)
        #expect(abs(mean - 62.5) < 2)
        let before = Double(counts[76..<80].reduce(0, +)) / 4
        #expect((71...99).contains(before))
        let after = Double(counts[81..<85].reduce(0, +)) / 4
        #expect((43...65).contains(after))
    }

    @Test(arguments: [("textbook/F8", 6_000), ("textbook/F8-budget", 1_100)])
    func `a retry budget keeps an outage from multiplying the load`(
        profile: String,
        attempts: Int
    ) throws {
        let counts = played(try world(profile, seed: 1))
        #expect(counts.reduce(0, +) == attempts)
    }

    @Test func `the same seed gives the same crowd, and another seed another`() throws {
        let first = try world("textbook/F7", seed: 7, clients: 1_000)
        let again = try world("textbook/F7", seed: 7, clients: 1_000)
        let other = try world("textbook/F7", seed: 8, clients: 1_000)
        let counts = [first, again, other].map { played($0) }
        #expect(first.simulation.fingerprint == again.simulation.fingerprint)
        #expect(first.simulation.fingerprint != other.simulation.fingerprint)
        #expect(counts[0] == counts[1])
        #expect(counts[0] != counts[2])
    }

    @Test func `callers with a workload or a phone's fault is refused with the place`() throws {
        let text = """
            {
              "onebar": 1, "device": "android-mid", "radio": "textbook", "network": "wpt-4g",
              "fleet": { "clients": 2, "call": "feed" },
              "workload": [],
              "faults": [{ "fault": "disk.full", "at": "1s", "for": "1s" }]
            }
            """
        let path = NSTemporaryDirectory() + "crowd-\(UUID().uuidString).jsonc"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: ProfileError.self) { try ScenarioReader.scenario(path) }
        let problems = try #require(error).problems.map(\.description)
        let route = ":3:36: error: \"feed\" is no method and path"
        #expect(problems.contains { $0.contains(route) }, "\(problems)")
        #expect(problems.contains { $0.contains("callers have no person with a workload") })
    }
}
