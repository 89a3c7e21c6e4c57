import Quantities
import SimulationKernel
import Testing

private struct Refused: Error {}

@Suite struct SuspensionTests {
    init() throws {
        try HashingCheck.require()
        try ExecutorCapture.install()
    }

    @Test func `a resumption resumes once, as its owner, and reports whether it did`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let app = simulation.makeProcess(named: "app").launch()
        let box = ResumptionBox()
        app.start {
            let value = try? await app.suspend { box.resumption = $0 }
            story.tell("\(value ?? 0) as \(simulation.currentIncarnation?.label ?? "nobody")")
        }
        var results: [Bool?] = []
        simulation.schedule(at: at(5)) {
            results.append(box.resumption?.isPending)
            results.append(box.resumption?.resume(returning: 1))
            results.append(box.resumption?.resume(returning: 2))
            results.append(box.resumption?.resume(throwing: Refused()))
        }
        simulation.runUntilQuiescent()
        #expect(results == [true, true, false, false])
        #expect(story.lines == ["5 ms 1 as app#1"])
    }

    @Test func `a resumption of the dead is inert`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let app = simulation.makeProcess(named: "app").launch()
        let box = ResumptionBox()
        app.start {
            defer { story.tell("defer") }
            _ = try? await app.suspend { box.resumption = $0 }
            story.tell("woke")
        }
        var result: Bool?
        simulation.schedule(at: at(5)) {
            simulation.kill(app)
            result = box.resumption?.resume(returning: 1)
        }
        simulation.runUntilQuiescent()
        #expect(result == false)
        #expect(story.lines.isEmpty)
    }

    @Test func `an error that is resumed with is thrown`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let app = simulation.makeProcess(named: "app").launch()
        app.start {
            do {
                let value: Int = try await app.suspend { resumption in
                    simulation.schedule(at: at(3)) { resumption.resume(throwing: Refused()) }
                }
                story.tell("\(value)")
            } catch {
                story.tell("\(error)")
            }
        }
        simulation.runUntilQuiescent()
        #expect(story.lines == ["3 ms Refused()"])
    }

    @Test func `cancelling reaches the seam while it waits, and also if it came first`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let app = simulation.makeProcess(named: "app").launch()
        app.start {
            let early = Task {
                try? await app.sleep(until: at(20))
                return await Self.outcome(app, story)
            }
            let late = Task { await Self.outcome(app, story) }
            early.cancel()
            try? await app.sleep(until: at(5))
            late.cancel()
            story.tell("early \(await early.value), late \(await late.value)")
        }
        simulation.runUntilQuiescent()
        #expect(
            story.lines == [
                "0 s seam told", "5 ms seam told", "5 ms early cancelled, late cancelled",
            ]
        )
    }

    private static func outcome(_ app: Incarnation, _ story: Story) async -> String {
        do {
            let _: Int = try await app.suspend(
                onCancel: { resumption in
                    story.tell("seam told")
                    resumption.resume(throwing: CancellationError())
                },
                { _ in }
            )
            return "resumed"
        } catch {
            return error is CancellationError ? "cancelled" : "failed"
        }
    }

    @Test func `a sleep ends at its deadline, now if that is past, and throws when cancelled`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let app = simulation.makeProcess(named: "app").launch()
        app.start {
            try? await app.sleep(until: at(10))
            story.tell("due")
            try? await app.sleep(until: at(3))
            story.tell("past")
            let sleeper = Task {
                do {
                    try await app.sleep(until: at(1_000))
                    return "slept"
                } catch {
                    story.tell("cancelled")
                    return "\(error is CancellationError)"
                }
            }
            try? await app.sleep(until: at(12))
            sleeper.cancel()
            sleeper.cancel()
            story.tell(await sleeper.value)
            let second = Task { (try? await app.sleep(until: at(2_000))) == nil }
            second.cancel()
            story.tell("\(await second.value)")
        }
        simulation.runUntilQuiescent()
        #expect(
            story.lines == [
                "10 ms due", "10 ms past", "12 ms cancelled", "12 ms true", "12 ms true",
            ]
        )
        // Cancelled sleeps leave nothing behind: time stands where the last thing happened.
        #expect(simulation.instant == at(12) && simulation.pendingEvents == 0)
    }

    @Test func `sleepers with one deadline wake in the order in which they lay down`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let app = simulation.makeProcess(named: "app").launch()
        for index in 0..<20 {
            app.start {
                try? await app.sleep(until: at(7))
                story.tell("\(index)")
            }
        }
        simulation.runUntilQuiescent()
        #expect(story.lines == (0..<20).map { "7 ms \($0)" })
    }

    @Test func `a task that some other thread wakes is named, and does not run`() {
        let simulation = Simulation(seed: 1)
        let story = Story(simulation)
        let app = simulation.makeProcess(named: "app").launch()
        app.start {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                runOnForeignThread { continuation.resume() }
            }
            story.tell("went on at once")
        }
        app.start {
            let later = await withUnsafeContinuation {
                (continuation: UnsafeContinuation<UnsafeContinuation<Void, Never>?, Never>) in
                continuation.resume(returning: nil)
            }
            _ = later
        }
        simulation.runUntilQuiescent()
        // A continuation that is resumed before its task suspends is no wake-up: the task never slept.
        #expect(story.lines == ["0 s went on at once"])

        let second = Simulation(seed: 1)
        let process = second.makeProcess(named: "app").launch()
        let box = ContinuationBox()
        process.start {
            await withUnsafeContinuation { box.continuation = $0 }
            story.tell("must not run")
        }
        second.schedule(at: at(5)) { runOnForeignThread { box.continuation?.resume() } }
        let outcome = second.run(until: at(1_000))
        guard case .broken(.foreignWakeUp(_, let owner, let thread)) = outcome else {
            Issue.record("the foreign wake-up was missed: \(outcome)")
            return
        }
        #expect(owner == "app#1")
        // Foundation gives a thread its name some time after it has begun: until then it has its parent's.
        #expect(thread == "another thread" || thread.hasPrefix("thread '"))
        #expect(outcome.fault?.description.contains("holds its continuation") == true)
        #expect(!story.lines.contains("must not run"))
    }
}

/// Carries a plain continuation to another thread.
private final class ContinuationBox: @unchecked Sendable {
    var continuation: UnsafeContinuation<Void, Never>?
}
