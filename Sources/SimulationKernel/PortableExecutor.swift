import Quantities

/// Runs the tasks of one incarnation where executors are not captured: public API only.
///
/// Tasks that are started with it as their preference, their child tasks and the actors they call run in
/// the world. An unstructured `Task {}` escapes to the real pool; the seams notice and say so.
final class PortableExecutor: TaskExecutor, @unchecked Sendable {
    private unowned(unsafe) let simulation: Simulation
    private let owner: UInt32

    init(_ simulation: Simulation, owner: UInt32) {
        self.simulation = simulation
        self.owner = owner
    }

    func enqueue(_ job: consuming ExecutorJob) {
        guard simulation.isHostedHere else {
            let label = simulation.incarnations[Int(owner)]?.label ?? "the world"
            simulation.foreignWakeUps.report(
                .foreignWakeUp(task: 0, owner: label, thread: currentThreadName())
            )
            return
        }
        simulation.enqueue(UnownedJob(job), lane: .background, owner: owner)
    }
}
