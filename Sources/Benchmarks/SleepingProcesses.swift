import Quantities
import SimulationKernel

/// w2: N tasks, each sleeping Exp(1) in a loop.
enum SleepingProcesses {
    /// How a task waits.
    enum Clock: String {
        /// The clock that the lab injects.
        case injected
        /// Unmodified `Task.sleep`.
        case task
    }

    private final class Counter: @unchecked Sendable {
        var count = 0
    }

    static func run(tasks: Int, wakeUps: Int, clock: Clock) throws {
        try ExecutorCapture.install()
        let simulation = Simulation(seed: 1)
        let table = ExponentialTable().nanoseconds
        let each = wakeUps / tasks
        let counter = Counter()
        let incarnation = simulation.makeProcess(named: "sleepers").launch()
        let setUp = Stopwatch()
        for task in 0..<tasks {
            let first = task * 97
            switch clock {
            case .injected:
                incarnation.start {
                    for index in first..<first + each {
                        let span = table[index & ExponentialTable.mask]
                        try? await incarnation.sleep(until: simulation.now + .nanoseconds(span))
                        counter.count += 1
                    }
                }
            case .task:
                incarnation.start {
                    for index in first..<first + each {
                        try? await Task.sleep(
                            nanoseconds: UInt64(table[index & ExponentialTable.mask])
                        )
                        counter.count += 1
                    }
                }
            }
        }
        simulation.run(until: .zero)
        let setUpTime = setUp.seconds
        let watch = Stopwatch()
        simulation.runUntilQuiescent()
        ResultLine.print(
            "W2",
            clock == .injected ? "onebar injected clock" : "onebar Task.sleep",
            tasks,
            counter.count,
            setUp: setUpTime,
            wall: watch.seconds,
            end: simulation.instant
        )
    }
}
