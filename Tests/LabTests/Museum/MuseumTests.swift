import Budgets
import Foundation
import Lab
import Measurements
import Profiles
import SimulationKernel
import Synchronization
import Testing

/// Public reports, each rebuilt as a small defective client: the lab catches it, and passes ours.
@Suite(.serialized) struct MuseumTests {
    static func runner(_ app: @escaping AppFactory) throws -> SeedRunner {
        SeedRunner(
            scenario: try LabRuns.scenario("messages-and-upload"),
            setup: WorldSetup(app: app)
        )
    }

    /// What the plan does to a client.
    static func outcome(_ plan: FaultPlan, _ app: @escaping AppFactory) throws -> TrialOutcome {
        try PlanTrial(runner(app)).run(plan)
    }

    static func breaches(_ outcome: TrialOutcome) -> [String] {
        outcome.breaches.map { "\($0.guarantee.text): \($0.message)" }
    }

    /// Hunts anew and writes down the plans: minutes; for whoever changes an exhibit.
    ///
    /// `ONEBAR_MUSEUM=hunt` asks for it. All other runs replay the plans.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["ONEBAR_MUSEUM"] != nil),
        arguments: Museum.hunted
    )
    func `a hunt finds the mistake and shrinks it to two faults at most`(exhibit: Exhibit) throws {
        let wanted = ProcessInfo.processInfo.environment["ONEBAR_MUSEUM"] ?? ""
        guard wanted == "hunt" || wanted.split(separator: ",").contains(exhibit.id[...]) else {
            return
        }
        let started = ContinuousClock.now
        let outcome = try Hunt(Self.runner(exhibit.client)).run(.init(plans: 6_000))
        let spent = ContinuousClock.now - started
        let finding = try #require(outcome.finding, "not found in \(outcome.runs) runs")
        print("museum: \(exhibit.id) after \(outcome.runs) plans, \(spent)")
        #expect(finding.breach.guarantee.text == exhibit.breaks, "\(finding.breach.message)")
        #expect(finding.plan.faults.count <= 2, "\(finding.plan.text)")
        #expect(finding.isMinimal)
        try finding.plan.text.write(to: Self.planFile(exhibit), atomically: true, encoding: .utf8)
    }

    static func planFile(_ exhibit: Exhibit) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Plans/\(exhibit.id).jsonc")
    }

    @Test(arguments: Museum.hunted)
    func `the plan that a hunt found breaks the mistaken client, and the right one not`(
        exhibit: Exhibit
    ) throws {
        try HashingCheck.require(line: "scripts/test")
        let plan = try FaultPlanReader.read(path: Self.planFile(exhibit).path)
        #expect(plan.faults.count <= 2)
        let client = try Self.outcome(plan, exhibit.client)
        let broken = Self.breaches(client)
        #expect(
            broken.contains { $0.hasPrefix("\(exhibit.breaks): ") && $0.contains(exhibit.says) },
            "\(broken)"
        )
        #expect(client.fates.allSatisfy { $0 == .fired }, "\(plan.text)")
        // Who is right has to be struck as well, or passes because nothing happened.
        for app in [MessengerApp.factory] + [exhibit.control].compactMap(\.self) {
            let right = try Self.outcome(plan, app)
            #expect(Self.breaches(right) == [], "\(plan.text)")
            #expect(
                right.fates == plan.faults.map { _ in exhibit.fateInTheRight },
                "\(plan.text)"
            )
        }
    }

    static func run(
        _ name: String,
        _ app: @escaping AppFactory,
        change: String? = nil
    ) throws -> ProfileRun {
        let overrides = change.flatMap { ProfileOverride($0) }.map { [$0] } ?? []
        let path = LabRuns.testProfile(name) ?? name
        let scenario = try ScenarioReader.scenario(path, overrides: overrides)
        return try LabRuns.run(scenario, seeds: [1], app: app)
    }

    private static let shippedRuns = Mutex<[String: ProfileRun]>([:])

    /// The run of the shipped client, made once for all exhibits of a profile.
    static func shipped(_ name: String) throws -> ProfileRun {
        if let known = shippedRuns.withLock({ $0[name] }) { return known }
        let run = try run(name, MessengerApp.factory)
        shippedRuns.withLock { $0[name] = run }
        return run
    }

    /// What a run breaks: guarantees by name with their messages, then metrics over budget.
    static func broken(_ run: ProfileRun) -> [String] {
        run.breaches.map { "\($0.guarantee.text): \($0.message)" }
            + run.budgets.filter { $0.verdict == .fail }.map { "\($0.metric.text): over budget" }
    }

    /// What the verdict says of faults that struck nothing.
    static func idleFaults(_ run: ProfileRun) -> [String] {
        run.verdict.reasons.filter { $0.contains("never fired") }
    }

    @Test(arguments: Museum.staged)
    func `a profile shows the mistake, and the right client passes it`(exhibit: Exhibit) throws {
        let (name, change): (String, String?) =
            switch exhibit.showing {
            case .profile(let name): (name, nil)
            case .setting(let change, let name): (name, change)
            case .hunt: ("messages-and-upload", nil)
            }
        let client = try Self.run(name, exhibit.client, change: change)
        let broken = Self.broken(client)
        #expect(
            broken.contains { $0.hasPrefix("\(exhibit.breaks): ") && $0.contains(exhibit.says) },
            "\(broken)"
        )
        #expect(Self.idleFaults(client) == [])
        for right in [try Self.shipped(name), try exhibit.control.map { try Self.run(name, $0) }] {
            guard let right else { continue }
            #expect(Self.broken(right) == [])
            #expect(Self.idleFaults(right) == [])
        }
    }

    @Test func `a plan is kept for every exhibit that a hunt finds, and for no other`() throws {
        let folder = Self.planFile(Museum.exhibits[0]).deletingLastPathComponent().path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.sorted() == Museum.hunted.map { "\($0.id).jsonc" }.sorted())
    }

    @Test func `the table tells of every exhibit as it is, and of no other`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("README.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let table = lines.filter { $0.hasPrefix("| ") }.dropFirst().map(String.init)
        #expect(table == Museum.exhibits.map(\.tableLine))
    }

    @Test func `no exhibit stands twice, and there are enough of them`() {
        #expect(Set(Museum.exhibits.map(\.id)).count == Museum.exhibits.count)
        #expect(Museum.exhibits.count >= 30)
    }
}
