import CVirtualTime
import Quantities

/// Tries the capture on a world of its own: five lines of ordinary asynchronous code.
enum CaptureSelfTest {
    private final class Log: @unchecked Sendable {
        var lines: [String] = []
    }

    private actor Counter {
        var value = 0

        func add(_ amount: Int) -> Int {
            value += amount
            return value
        }
    }

    static func run() throws(ExecutorCaptureError) {
        #if os(Linux)
        try runProbe()
        ActorQueueReader.calibrate()
        #endif
    }

    #if os(Linux)
    private static func runProbe() throws(ExecutorCaptureError) {
        let simulation = Simulation(seed: 1, mode: .captured)
        let log = Log()
        let incarnation = SimulatedProcess(name: "probe", device: 0, simulation: simulation)
            .launch()
        incarnation.start { await probe(simulation, log) }
        let outcome = simulation.run(until: SimulationInstant(nanoseconds: 60_000_000_000))
        let expected = ["sleep 5000000000", "task 7000000000", "group 0 1 2", "actor 3", "end"]
        guard outcome == .reachedEnd, log.lines == expected else {
            throw ExecutorCaptureError(
                description: """
                    this Swift toolchain does not put Task, Task.sleep, task groups and actors on a \
                    custom executor as 6.3 does (outcome \(outcome), saw \(log.lines)); use Swift 6.3, \
                    or set ONEBAR_PORTABLE=1
                    """
            )
        }
    }

    private static func probe(_ simulation: Simulation, _ log: Log) async {
        try? await Task.sleep(for: .seconds(5))
        log.lines.append("sleep \(simulation.now.nanoseconds)")
        await Task {
            try? await Task.sleep(until: .now + .seconds(2), clock: .suspending)
            log.lines.append("task \(simulation.now.nanoseconds)")
        }.value
        let order = await withTaskGroup(of: Int.self) { group in
            for index in 0..<3 {
                group.addTask {
                    try? await Task.sleep(for: .milliseconds(10 * (index + 1)))
                    await Task.yield()
                    return index
                }
            }
            var order: [String] = []
            for await index in group { order.append("\(index)") }
            return order
        }
        log.lines.append("group \(order.joined(separator: " "))")
        let counter = Counter()
        let first = Task.detached { await counter.add(1) }
        let second = Task.detached { await counter.add(2) }
        log.lines.append("actor \(max(await first.value, await second.value))")
        log.lines.append("end")
    }
    #endif
}

#if os(Linux)
extension ActorQueueReader {
    private actor Wedged {
        var count = 0

        func add() { count += 1 }

        /// Leaves a job in its own queue, so that it must be drained by the executor.
        func contend() {
            Task { self.add() }
        }
    }

    /// Wedges an actor on purpose and looks whether the task behind it is found.
    static func calibrate() {
        let simulation = Simulation(seed: 1, mode: .captured)
        let process = SimulatedProcess(name: "probe", device: 0, simulation: simulation)
        let first = process.launch()
        let actor = Wedged()
        first.start {
            await actor.contend()
            simulation.kill(first)
        }
        simulation.runUntilQuiescent()
        let second = process.launch()
        second.start { await actor.add() }
        simulation.runUntilQuiescent()
        isCalibrated = simulation.findStuckTasks().map(\.owner) == ["probe#2"]
    }
}
#endif
