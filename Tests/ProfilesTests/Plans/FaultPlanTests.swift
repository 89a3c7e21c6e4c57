import Measurements
import NetworkModel
import Profiles
import Quantities
import ServerModel
import Testing
import Trace

/// A plan's file: what is written is read back, and a mistake is told with its place.
@Suite struct FaultPlanTests {
    /// One entry of each effect and of each placement.
    static let entries: [FaultEntry] = [
        FaultEntry(.killProcess(relaunch: .seconds(2)), .during(.outboxCommit, nth: 7, effect: 2)),
        FaultEntry(
            .losePower(relaunch: nil),
            .inside(EffectPlace(.write, of: "a.sqlite-wal", nth: 3, launch: 2, side: .after))
        ),
        FaultEntry(.killProcess(relaunch: nil), .inside(EffectPlace(.send, nth: 1))),
        FaultEntry(.forceQuit(relaunch: .milliseconds(1_500)), .after(.requestSent, nth: 2)),
        FaultEntry(
            .loseResponse(afterBytes: 40, .blackhole),
            .request(route: "POST /messages", nth: 3)
        ),
        FaultEntry(.loseRequest(afterBytes: 0, .reset), .request(route: nil, nth: 1)),
        FaultEntry(.interruptNetwork(.down, for: .seconds(20)), .at(.seconds(90))),
        FaultEntry(.interruptNetwork(.captive, for: .seconds(7)), .after(.appLaunched, nth: 1)),
        FaultEntry(.resetConnections, .poisson(mean: .nanoseconds(1_234_567_891))),
        FaultEntry(
            .refuse(status: 503, retryAfter: .seconds(10), route: nil, for: .seconds(25)),
            .at(.milliseconds(250))
        ),
        FaultEntry(
            .answerError(
                ErrorScript(
                    nth: 2,
                    identity: "m\"1\\",
                    status: 422,
                    times: nil,
                    stage: .insteadOfEffect
                )
            ),
            .request(route: nil, nth: 2)
        ),
        FaultEntry(.fillDisk(free: ByteCount(4_096), for: .seconds(15)), .at(.seconds(1))),
        FaultEntry(.jumpClock(by: .seconds(-7_200)), .after(.databaseCommit, nth: 4)),
        FaultEntry(.pressMemory(.critical, for: .seconds(5)), .at(.seconds(3))),
        FaultEntry(
            .suspendLockHolder(relaunch: .seconds(2)),
            .during(.uploadCommit, nth: 1, effect: 2)
        ),
        FaultEntry(.lockFiles(.all, for: .seconds(15)), .after(.appLaunched, nth: 2)),
        FaultEntry(.lockFiles(.folder("images"), for: .seconds(1)), .at(.seconds(2))),
        FaultEntry(.removeSource(of: "file-1"), .at(.seconds(2))),
        FaultEntry(.changeSource(of: "photo-2"), .after(.uploadCreated, nth: 1)),
        FaultEntry(.lockFiles(.file("queue/000001"), for: .seconds(1)), .at(.seconds(2))),
        FaultEntry(.purgeCache(folder: "images"), .at(.seconds(4))),
        FaultEntry(
            .restoreBackup(taken: .milliseconds(700), relaunch: .seconds(5)),
            .after(.responseReceived, nth: 1)
        ),
        FaultEntry(.holdDatabase(name: "outbox.sqlite", for: .seconds(8)), .at(.seconds(5))),
        FaultEntry(.secondProcess(for: .seconds(90)), .after(.requestSent, nth: 1)),
        FaultEntry(.loseRequest(afterBytes: 1_500, .blackhole), .request(route: nil, nth: 3)),
        FaultEntry(.loseResponse(afterBytes: 7, .close), .request(route: nil, nth: 4)),
        FaultEntry(.loseResponse(afterBytes: 9, .shortened), .request(route: nil, nth: 5)),
    ]

    static let plan = FaultPlan(
        profile: "messages-and-upload",
        seed: 3,
        faults: entries,
        failure: PlannedFailure(
            identity: FailureIdentity(guarantee: .settles, entity: "c1", owner: "message.send"),
            message: "'m1' was \"stuck\"\nfor ever"
        )
    )

    @Test func `a plan that is written is read back the same`() throws {
        let read = try FaultPlanReader.read(text: Self.plan.text, path: "p.json")
        #expect(read.profile == Self.plan.profile)
        #expect(read.seed == 3)
        #expect(read.failure == Self.plan.failure)
        try #require(read.faults.count == Self.entries.count)
        for (entry, written) in zip(read.faults, Self.entries) {
            #expect(entry.isSame(as: written), "\(entry.planText)\n\(written.planText)")
        }
        #expect(read.text == Self.plan.text)
    }

    @Test func `any subset of a plan is a plan, numbered from zero`() throws {
        let half = Self.plan.with(Self.plan.faults.filter { $0.index.isMultiple(of: 2) })
        #expect(half.faults.map(\.index) == Array(0..<14))
        #expect(try FaultPlanReader.read(text: half.text, path: "p").faults.count == 14)
    }

    @Test(arguments: [
        (
            #"{ "format": "onebar.plan/2", "profile": "x", "faults": [] }"#,
            "p.json:1:13: error: the plan is of format \"onebar.plan/2\" "
                + "(this onebar reads \"onebar.plan/1\")"
        ),
        (
            #"{ "format": "onebar.plan/1", "faults": [] }"#,
            "p.json:1:1: error: plan has no \"profile\" (add \"profile\": \"commute\")"
        ),
        (
            #"{ "format": "onebar.plan/1", "profile": "x", "faults": [{ "fault": "process.kill" }] }"#,
            "does not say when it strikes"
        ),
    ])
    func `a mistake in a plan is told with its place`(text: String, told: String) {
        let error = #expect(throws: ProfileError.self) {
            try FaultPlanReader.read(text: text, path: "p.json")
        }
        #expect(error?.description.contains(told) == true, "\(error?.description ?? "")")
    }

    @Test func `a plan that is not there is missing, not invalid`() {
        let error = #expect(throws: ProfileError.self) {
            try FaultPlanReader.read(path: "nowhere/p.json")
        }
        #expect(error?.kind == .missing)
    }
}
