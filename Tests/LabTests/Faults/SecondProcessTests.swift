import Budgets
import ClientModules
import Lab
import Measurements
import NetworkModel
import Profiles
import Quantities
import Testing

/// A second process of the app on the same store.
@Suite struct SecondProcessTests {
    static func second(_ span: Duration, at instant: Duration) -> FaultEntry {
        FaultEntry(.secondProcess(for: span), .at(instant))
    }

    @Test func `it runs for its time, and one at a time`() throws {
        // The second of them comes while the first runs, the third as it has ended.
        let faults = FaultPlan.numbered(
            [
                Self.second(.seconds(10), at: .seconds(2)),
                Self.second(.seconds(10), at: .seconds(11)),
                Self.second(.seconds(10), at: .seconds(13)),
            ],
            from: 0
        )
        let outcome = try StorageFaultTests.run(faults)
        #expect(outcome.fates == [.fired, .absorbed, .fired])
        #expect(StorageFaultTests.messages(outcome) == [])
    }

    // MARK: Two lives and two deaths

    /// The longest that a message waited, where the app is dead from 4 s until settling begins at 20 s, and the second
    /// message, of 3 s, was promised on a path that is down until 6.5 s.
    private func longestWait(_ more: [FaultEntry]) throws -> Double {
        var scenario = try LabRuns.scenario("messages-and-upload")
        scenario.conditions.faults = FaultPlan.numbered(
            [
                FaultEntry(.interruptNetwork(.down, for: .seconds(4)), .at(.milliseconds(2_500))),
                FaultEntry(.killProcess(relaunch: nil), .at(.seconds(4))),
            ] + more,
            from: 0
        )
        let seed = try #require(try LabRuns.run(scenario).seeds.first)
        #expect(seed.breaches.map(\.message) == [])
        return try #require(seed.value(of: MetricName("outbox.oldest_age_s")))
    }

    @Test func `it lives on as the app dies, and sends what was left`() throws {
        // Without it nobody sends before the app is back, 17 s after the promise.
        #expect(try longestWait([]) >= 17)
        let wait = try longestWait([Self.second(.seconds(30), at: .seconds(5))])
        #expect((3.5...8).contains(wait), "\(wait) s")
    }

    @Test(arguments: [FaultEffect.losePower(relaunch: nil), .forceQuit(relaunch: nil)])
    func `a loss of power and a swipe end it too`(effect: FaultEffect) throws {
        let faults = [
            Self.second(.seconds(30), at: .seconds(5)), FaultEntry(effect, .at(.seconds(6))),
        ]
        // What it would have sent at 6.5 s waits for the app.
        #expect(try longestWait(faults) >= 17)
    }

    @Test func `a death in a commit strikes the process that writes, and no other`() throws {
        var isSeen = false
        for nth in 1...6 {
            var scenario = try LabRuns.scenario("messages-and-upload")
            scenario.conditions.faults = FaultPlan.numbered(
                [
                    FaultEntry(.secondProcess(for: .seconds(10)), .after(.requestSent, nth: 1)),
                    FaultEntry(
                        .killProcess(relaunch: .seconds(2)),
                        .during(.uploadCommit, nth: nth, effect: 1)
                    ),
                ],
                from: 0
            )
            let seed = try #require(try LabRuns.run(scenario).seeds.first)
            let isOfSecond = seed.faults[1].detail.hasSuffix(" by the second process")
            isSeen = isSeen || isOfSecond
            #expect(seed.breaches.map(\.message) == [])
            let kills = seed.value(of: MetricName("process.injected_kills"))
            #expect(kills == (isOfSecond ? 0 : Double(seed.faults[1].fired)), "commit \(nth)")
        }
        #expect(isSeen)
    }

    // MARK: One store

    @Test func `the shipped modules keep their promises wherever it begins`() throws {
        let trial = try StorageFaultTests.trial(MessengerApp.factory)
        let pool = HuntPool(try trial.census()).all.filter { $0.kind == .processSecond }
        #expect(pool.count > 20)
        for entry in pool {
            let plan = FaultPlan(profile: trial.profile, seed: 1, faults: [entry])
            let outcome = try trial.run(plan)
            #expect(StorageFaultTests.messages(outcome) == [], "\(entry.planText)")
            #expect(outcome.fates == [.fired], "\(entry.planText)")
        }
    }

    /// Each death of either process in a commit that both of them make their own.
    @Test(arguments: [
        FaultEffect.killProcess(relaunch: .seconds(70)), .losePower(relaunch: .seconds(2)),
    ])
    func `whoever dies in a commit, the other goes on`(death: FaultEffect) throws {
        let trial = try StorageFaultTests.trial(MessengerApp.factory)
        for nth in 1...6 {
            let faults = FaultPlan.numbered(
                [
                    FaultEntry(.secondProcess(for: .seconds(90)), .after(.requestSent, nth: 1)),
                    FaultEntry(.interruptNetwork(.down, for: .seconds(5)), .at(.seconds(2))),
                    FaultEntry(death, .during(.databaseCommit, nth: nth, effect: 2)),
                ],
                from: 0
            )
            let outcome = try trial.run(
                FaultPlan(profile: trial.profile, seed: 1, faults: faults)
            )
            #expect(StorageFaultTests.messages(outcome) == [], "commit \(nth)")
        }
    }

    /// Every fault that a good run offers a place for, each beside a second process: some of them, or all.
    @Test(arguments: [FaultAnchor.requestSent, .databaseCommit])
    func `beside it every other fault is survived`(anchor: FaultAnchor) throws {
        let trial = try StorageFaultTests.trial(MessengerApp.factory)
        let pool = HuntPool(try trial.census()).all
        let step = Sweep.isWide ? 1 : 40
        for index in stride(from: 0, to: pool.count, by: step) {
            let faults = FaultPlan.numbered(
                [
                    FaultEntry(
                        .secondProcess(for: .seconds(90)),
                        .after(anchor, nth: 1 + index % 6)
                    ),
                    pool[index],
                ],
                from: 0
            )
            let plan = FaultPlan(profile: trial.profile, seed: 1, faults: faults)
            let outcome = try trial.run(plan)
            #expect(StorageFaultTests.messages(outcome) == [], "\(plan.text)")
        }
    }

    @Test func `a hunt tries it where somebody is signed in too`() throws {
        let runner = SeedRunner(scenario: try LabRuns.scenario("session"))
        let pool = HuntPool(try PlanTrial(runner).census()).all
        #expect(pool.contains { $0.kind == .processSecond })
    }

    @Test func `the same second process is the same run`() throws {
        var scenario = try LabRuns.scenario("messages-and-upload")
        scenario.conditions.faults = FaultPlan.numbered(
            [FaultEntry(.secondProcess(for: .seconds(30)), .after(.requestSent, nth: 1))],
            from: 0
        )
        let runs = try [1, 2].map { _ in try LabRuns.run(scenario).seeds.map(\.fingerprint) }
        #expect(runs[0] == runs[1])
    }
}
