import Budgets
import Lab
import Measurements
import Profiles
import Testing

/// Somebody signed in: the shipped session under the profile `session`, and those that teams shipped.
@Suite struct SessionTests {
    private static func runner(_ app: @escaping AppFactory = MessengerApp.factory) throws
        -> SeedRunner
    {
        SeedRunner(scenario: try LabRuns.scenario("session"), setup: WorldSetup(app: app))
    }

    private static func messages(_ outcome: TrialOutcome) -> [String] {
        outcome.breaches.map { "\($0.guarantee): \($0.message)" }
    }

    private static func run(
        _ faults: [FaultEntry],
        _ app: @escaping AppFactory = MessengerApp.factory
    ) throws -> TrialOutcome {
        let trial = PlanTrial(try runner(app))
        let plan = FaultPlan(
            profile: trial.profile,
            seed: 1,
            faults: FaultPlan.numbered(faults, from: 0)
        )
        return try trial.run(plan, story: true)
    }

    // The budgets are for seeds 1..20, which `onebar run session` judges; three of them here.
    @Test func `the shipped profile passes`() throws {
        let run = try LabRuns.run(LabRuns.scenario("session"), seeds: [1, 2, 3])
        #expect(run.breaches.isEmpty, "\(run.breaches.map(\.message))")
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
    }

    // The second takes 300 plans, deaths at the opening of three databases first: in the wide sweep alone.
    @Test(
        arguments: Sweep.isWide
            ? [SessionDefects.refreshesForEachRefusal, .storesAfterUse] : [.refreshesForEachRefusal]
    )
    func `a defective session is found and shrunk to two faults at most`(
        defect: SessionDefects
    ) throws {
        let outcome = try Hunt(Self.runner(LabRuns.session(defect))).run(.init(plans: 4_000))
        let finding = try #require(outcome.finding, "not found in \(outcome.runs) runs")
        #expect(finding.breach.guarantee == .sessionKept, "\(finding.breach.message)")
        #expect((1...2).contains(finding.plan.faults.count), "\(finding.plan.text)")
        #expect(finding.isMinimal)
    }

    /// Each defect with the kind of fault that shows it by itself, somewhere in the run.
    @Test(arguments: [
        (SessionDefects.refreshesForEachRefusal, FaultKind.tokenExpired),
        (.storesAfterUse, .processKill),
        (.anyErrorSignsOut, .serverError),
    ])
    func `one fault of its kind shows a defective session`(
        defect: SessionDefects,
        kind: FaultKind
    ) throws {
        let trial = PlanTrial(try Self.runner(LabRuns.session(defect)))
        let all = HuntPool(try trial.census()).all.filter { $0.kind == kind }
        // Of the deaths, those that strike the session's own file.
        let pool =
            kind == .processKill ? all.filter { $0.planText.contains("session.sqlite") } : all
        let isShown = try pool.contains { fault in
            let plan = FaultPlan(profile: trial.profile, seed: 1, faults: [fault])
            return try trial.run(plan).breaches.contains { $0.guarantee == .sessionKept }
        }
        #expect(isShown, "none of \(pool.count)")
    }

    /// Some of the single faults, spread over all of them: the whole is for `onebar hunt session`.
    @Test(arguments: [(true, 30), (false, 60)])
    func `a session without a defect gives no false alarm`(isShipped: Bool, step: Int) throws {
        let app = isShipped ? MessengerApp.factory : LabRuns.session([])
        let trial = PlanTrial(try Self.runner(app))
        let pool = HuntPool(try trial.census()).all
        for entry in stride(from: 7, to: pool.count, by: step).map({ pool[$0] }) {
            let plan = FaultPlan(profile: trial.profile, seed: 1, faults: [entry])
            #expect(Self.messages(try trial.run(plan)) == [], "\(entry.planText)")
        }
    }

    /// Every third place of a second process, which asks the server itself, as an extension does for a notification.
    private static func seconds(_ trial: PlanTrial) throws -> [FaultEntry] {
        let pool = HuntPool(try trial.census()).all.filter { $0.kind == .processSecond }
        return stride(from: 0, to: pool.count, by: 3).map { pool[$0] }
    }

    @Test func `an app and its extension use no refresh token twice`() throws {
        let trial = PlanTrial(try Self.runner(ExtensionApp.beside(LabRuns.shippedSession)))
        for entry in try Self.seconds(trial) {
            let plan = FaultPlan(profile: trial.profile, seed: 1, faults: [entry])
            #expect(Self.messages(try trial.run(plan)) == [], "\(entry.planText)")
        }
    }

    // Swarms: 120 plans here, 6,000 in the wide sweep.
    @Test func `no plan ends the session of an app with an extension`() throws {
        let trial = PlanTrial(try Self.runner(ExtensionApp.beside(LabRuns.shippedSession)))
        let census = try trial.census()
        let schedule = HuntSchedule(profile: trial.profile, seeds: 1...20, census: census)
        let step = Sweep.isWide ? 1 : 50
        for number in stride(from: 10_000, to: 16_000, by: step) {
            let plan = schedule.plan(number)
            // The extension asks again each second, whatever the server asks of it.
            let breaches = try trial.run(plan).breaches.map(\.message)
                .filter { !$0.hasPrefix("GET /feed: a request was repeated") }
            #expect(breaches == [], "\(plan.text)")
        }
    }

    @Test func `a session of which each process refreshes for itself is found`() throws {
        let twin = ExtensionApp.beside(LabRuns.naiveSession(.everyProcessRefreshes))
        let trial = PlanTrial(try Self.runner(twin))
        let isFound = try Self.seconds(trial).contains { entry in
            let plan = FaultPlan(profile: trial.profile, seed: 1, faults: [entry])
            return try trial.run(plan).breaches.contains { $0.guarantee == .sessionKept }
        }
        #expect(isFound)
    }

    @Test func `an access token that expires early costs a refresh and nothing else`() throws {
        let outcome = try Self.run([FaultEntry(.expireToken, .at(.seconds(3)))])
        #expect(outcome.fates == [.fired])
        #expect(Self.messages(outcome) == [])
    }

    @Test func `a session that the server ends is no fault of the app, and nothing is lost`() throws
    {
        let outcome = try Self.run([FaultEntry(.revokeSession, .at(.seconds(3)))])
        #expect(outcome.fates == [.fired])
        #expect(Self.messages(outcome) == [])
        let story = outcome.story.map(\.text).joined(separator: "\n")
        #expect(story.contains("the session is over: the person has to sign in"))
        #expect(story.contains("the person signed in again"))
    }

    // The second finds the session ended by the first.
    @Test func `a session ends once`() throws {
        let outcome = try Self.run([
            FaultEntry(.revokeSession, .at(.seconds(3))),
            FaultEntry(.revokeSession, .at(.seconds(4))),
            FaultEntry(.expireToken, .at(.seconds(5))),
        ])
        #expect(outcome.fates == [.fired, .absorbed, .absorbed])
        #expect(Self.messages(outcome) == [])
    }

    @Test func `a hunt tries sessions only where somebody is signed in`() throws {
        let signedIn = HuntPool(try PlanTrial(Self.runner()).census())
        #expect(signedIn.all.contains { $0.kind == .tokenExpired })
        #expect(signedIn.all.contains { $0.kind == .tokenRevoked })
        let other = SeedRunner(scenario: try LabRuns.scenario("two-messages"))
        let pool = HuntPool(try PlanTrial(other).census())
        #expect(!pool.all.contains { $0.kind.isOfSession })
    }
}
