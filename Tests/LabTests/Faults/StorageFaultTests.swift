import Budgets
import ClientModules
import Lab
import Measurements
import NetworkModel
import Profiles
import Quantities
import SimulationKernel
import Testing

/// Faults of what is stored and of who may reach it: the shipped modules keep their promises, each
/// broken twin is caught.
@Suite struct StorageFaultTests {
    static let entity = "messages-and-upload"

    static func trial(_ app: @escaping AppFactory) throws -> PlanTrial {
        try HashingCheck.require(line: "scripts/test")
        return PlanTrial(
            SeedRunner(scenario: try LabRuns.scenario(entity), setup: WorldSetup(app: app))
        )
    }

    static func run(
        _ faults: [FaultEntry],
        _ app: @escaping AppFactory = MessengerApp.factory
    ) throws -> TrialOutcome {
        try trial(app).run(FaultPlan(profile: entity, seed: 1, faults: faults))
    }

    static func messages(_ outcome: TrialOutcome) -> [String] {
        outcome.breaches.map { "\($0.guarantee.text): \($0.message)" }
    }

    // MARK: 0xdead10cc

    @Test(arguments: 1...6)
    func `an app that waits without a lock is only suspended`(request: Int) throws {
        let fault = FaultEntry(
            .suspendLockHolder(relaunch: .seconds(2)),
            .after(.requestSent, nth: request)
        )
        let outcome = try Self.run([fault])
        #expect(outcome.fates == [.absorbed])
        #expect(Self.messages(outcome) == [])
    }

    @Test func `an app that waits with a transaction open is killed for its lock`() throws {
        let fault = FaultEntry(
            .suspendLockHolder(relaunch: .seconds(2)),
            .after(.requestSent, nth: 1)
        )
        let broken = Self.messages(try Self.run([fault], LabRuns.twins(.sendsInTransaction)))
        #expect(broken.contains { $0.hasPrefix("client.no_crash: ") && $0.contains("0xdead10cc") })
        #expect(Self.messages(try Self.run([fault], LabRuns.twins([]))) == [])
    }

    @Test(arguments: 1...3)
    func `a kill for the lock of a commit that is being written is survived`(write: Int) throws {
        let fault = FaultEntry(
            .suspendLockHolder(relaunch: .seconds(2)),
            .during(.outboxCommit, nth: 2, effect: write)
        )
        let outcome = try Self.run([fault])
        #expect(outcome.fates == [.fired])
        #expect(Self.messages(outcome) == [])
    }

    // MARK: EPERM

    @Test(arguments: [FaultAnchor.appLaunched, .requestSent, .responseReceived, .databaseCommit])
    func `a phone that is locked delays what was promised, and loses nothing`(
        anchor: FaultAnchor
    ) throws {
        let fault = FaultEntry(
            .lockFiles(.all, for: .seconds(15)),
            .after(anchor, nth: 1)
        )
        let outcome = try Self.run([fault])
        #expect(outcome.fates == [.fired])
        #expect(Self.messages(outcome) == [])
    }

    @Test func `an outbox that swallows EPERM loses what was promised`() throws {
        // Messages are sent at 0 and 3 s: the second one meets the lock.
        let fault = FaultEntry(.lockFiles(.all, for: .seconds(5)), .at(.seconds(2)))
        let broken = Self.messages(try Self.run([fault], LabRuns.twins(.fullDiskSwallowed)))
        #expect(broken.contains { $0.contains("never took effect at the server") }, "\(broken)")
        #expect(Self.messages(try Self.run([fault], LabRuns.twins([]))) == [])
    }

    @Test func `a lock outlasts no run: everything heals when settling begins`() throws {
        let fault = FaultEntry(.lockFiles(.all, for: .seconds(86_400)), .at(.seconds(2)))
        #expect(Self.messages(try Self.run([fault])) == [])
    }

    // MARK: A backup

    static func restored(taken: Duration, after anchor: FaultAnchor, _ nth: Int) -> FaultEntry {
        FaultEntry(
            .restoreBackup(taken: taken, relaunch: .seconds(5)),
            .after(anchor, nth: nth)
        )
    }

    /// The backup holds what the old phone has sent by then: the new one sends it again.
    @Test(arguments: [50, 100, 200, 400, 3_050, 3_200])
    func `a restored phone repeats nothing at the server`(taken: Int) throws {
        let fault = Self.restored(taken: .milliseconds(taken), after: .responseReceived, 7)
        let outcome = try Self.run([fault])
        #expect(Self.messages(outcome) == [])
    }

    @Test func `an outbox that makes its keys anew doubles what the backup holds`() throws {
        let broken = try [50, 100, 150, 200, 250].flatMap { taken in
            Self.messages(
                try Self.run(
                    [Self.restored(taken: .milliseconds(taken), after: .serverEffect, 1)],
                    LabRuns.twins(.keyMadeAtLaunch)
                )
            )
        }
        #expect(broken.contains { $0.contains("took effect twice at the server") }, "\(broken)")
    }

    @Test func `a backup that was not made yet is no backup`() throws {
        let outcome = try Self.run([Self.restored(taken: .seconds(9), after: .appLaunched, 1)])
        #expect(outcome.fates == [.absorbed])
        #expect(Self.messages(outcome) == [])
    }

    // MARK: Another process

    @Test(arguments: [1, 4, 8, 20])
    func `a write lock that another process holds is waited for`(seconds: Int) throws {
        let fault = FaultEntry(
            .holdDatabase(name: "outbox.sqlite", for: .seconds(seconds)),
            .at(.milliseconds(2_900))
        )
        let outcome = try Self.run([fault])
        #expect(outcome.fates == [.fired])
        #expect(Self.messages(outcome) == [])
    }

    @Test func `an outbox that swallows a busy database loses what was promised`() throws {
        let fault = FaultEntry(
            .holdDatabase(name: "outbox.sqlite", for: .seconds(15)),
            .at(.milliseconds(2_900))
        )
        let broken = Self.messages(try Self.run([fault], LabRuns.twins(.fullDiskSwallowed)))
        #expect(broken.contains { $0.contains("never took effect at the server") }, "\(broken)")
        #expect(Self.messages(try Self.run([fault], LabRuns.twins([]))) == [])
    }

    // MARK: The cache folder

    @Test func `a cache that the system empties loses pictures and nothing else`() throws {
        var scenario = try LabRuns.scenario("low-memory-fling")
        scenario.conditions.faults = FaultPlan.numbered(
            [FaultEntry(.purgeCache(folder: FaultEffect.cacheFolder), .at(.seconds(6)))],
            from: 0
        )
        let seed = try #require(try LabRuns.run(scenario, seeds: [1]).seeds.first)
        #expect(seed.breaches.map(\.message) == [])
        #expect(seed.faults.map(\.fired) == [1])
        #expect(seed.value(of: MetricName("process.memory_kills")) == 0)
    }

    // The second message is promised at 3 s without a path, and waits in the queue; the folder is emptied while no process has it open.
    @Test func `a queue in a folder that the system may empty loses what was promised`() throws {
        let faults = FaultPlan.numbered(
            [
                FaultEntry(.interruptNetwork(.down, for: .seconds(10)), .at(.milliseconds(2_500))),
                FaultEntry(.killProcess(relaunch: .seconds(2)), .at(.seconds(6))),
                FaultEntry(.purgeCache(folder: FaultEffect.cacheFolder), .at(.seconds(7))),
            ],
            from: 0
        )
        let outcome = try Self.run(faults, LabRuns.twins(.queueInCaches))
        let broken = Self.messages(outcome)
        #expect(outcome.fates == [.fired, .fired, .fired])
        #expect(broken.contains { $0.contains("never took effect at the server") }, "\(broken)")
        // Who keeps nothing there has nothing to lose.
        for app in [MessengerApp.factory, LabRuns.twins([])] {
            let right = try Self.run(faults, app)
            #expect(right.fates == [.fired, .fired, .absorbed])
            #expect(Self.messages(right) == [])
        }
    }

    // As above, but the process that has the queue open goes on with a file that has no name any more, until it is killed.
    @Test func `a queue whose folder is emptied under it is lost with the process`() throws {
        let faults = FaultPlan.numbered(
            [
                FaultEntry(.interruptNetwork(.down, for: .seconds(10)), .at(.milliseconds(2_500))),
                FaultEntry(.purgeCache(folder: FaultEffect.cacheFolder), .at(.seconds(5))),
                FaultEntry(.killProcess(relaunch: .seconds(2)), .at(.seconds(6))),
            ],
            from: 0
        )
        let outcome = try Self.run(faults, LabRuns.twins(.queueInCaches))
        #expect(outcome.fates == [.fired, .fired, .fired])
        let broken = Self.messages(outcome)
        #expect(broken.contains { $0.contains("never took effect at the server") }, "\(broken)")
    }

    // MARK: All of them

    /// Every fifth place of each: the whole of it is for `onebar hunt`.
    @Test func `the shipped modules survive each of them wherever it strikes`() throws {
        let trial = try Self.trial(MessengerApp.factory)
        let kinds: Set<FaultKind> = [
            .processDead10cc, .diskLocked, .backupRestored, .databaseBusy,
        ]
        let pool = HuntPool(try trial.census()).all.filter {
            kinds.contains($0.kind) || $0.effect.cutsBody
        }
        #expect(Set(pool.map(\.kind)).isSuperset(of: kinds))
        for entry in stride(from: 0, to: pool.count, by: 5).map({ pool[$0] }) {
            let plan = FaultPlan(profile: trial.profile, seed: 1, faults: [entry])
            #expect(Self.messages(try trial.run(plan)) == [], "\(entry.planText)")
        }
    }
}

extension FaultEffect {
    /// Whether a body breaks off in a way that is not the plain loss of a whole message.
    fileprivate var cutsBody: Bool {
        switch self {
        case .loseRequest(let bytes, _): bytes > 0
        case .loseResponse(_, let aftermath): aftermath == .close || aftermath == .shortened
        default: false
        }
    }
}
