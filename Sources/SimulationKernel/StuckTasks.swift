import CVirtualTime
import Quantities

/// A job that would have emptied an actor's queue, and was dropped with its dead owner.
struct DroppedDrain {
    let job: UInt
    let owner: UInt32
}

/// A live task that can never go on, because it waits behind an actor that a dead process holds.
package struct StuckTask: Hashable, Sendable, CustomStringConvertible {
    /// The task's number in this process.
    package let task: UInt64
    /// Whose it is.
    package let owner: String
    /// The dead process whose work the actor was to do next.
    package let deadOwner: String
    /// When that process died.
    package let diedAt: SimulationInstant

    /// A sentence with place, cause and remedy.
    package var description: String {
        "actor shared across launches: task \(task) of \(owner) waits behind an actor whose next work "
            + "belongs to \(deadOwner), which died at \(diedAt); make every actor anew at each launch"
    }
}

extension Simulation {
    /// The live tasks that wait behind an actor of a dead process; ask at quiescence.
    ///
    /// When an actor's drain job is dropped with its owner, that actor never runs again; whatever queues
    /// behind it later leaves no other trace. So the queues of those actors are read, with care for
    /// memory that may be gone, and only on toolchains where the self-test has found the queue to be
    /// where it is looked for.
    package var stuckTasks: [StuckTask] {
        #if os(Linux)
        guard mode == .captured, ActorQueueReader.isCalibrated else { return [] }
        return findStuckTasks()
        #else
        return []
        #endif
    }

    /// Remembers an actor that is wedged from now on.
    func noteDropped(_ job: UnownedJob, owner: UInt32) {
        #if os(Linux)
        guard mode == .captured, jobTaskIdentifier(job) == 0 else { return }
        droppedDrains.append(DroppedDrain(job: unsafeBitCast(job, to: UInt.self), owner: owner))
        #endif
    }

    #if os(Linux)
    func findStuckTasks() -> [StuckTask] {
        var found: [StuckTask] = []
        for drain in droppedDrains {
            guard let dead = incarnations[Int(drain.owner)], let diedAt = dead.diedAt else {
                continue
            }
            for task in ActorQueueReader.tasks(waitingBehind: drain.job) {
                let registration = onebar_task_owner(task)
                let owner = incarnations.first {
                    $0?.core.pointee.registration == registration
                }
                guard let owner = owner ?? nil, owner.isAlive else { continue }
                let stuck = StuckTask(
                    task: task,
                    owner: owner.label,
                    deadOwner: dead.label,
                    diedAt: diedAt
                )
                if !found.contains(stuck) { found.append(stuck) }
            }
        }
        return found
    }
    #endif
}

#if os(Linux)
/// Reads the queue of an actor from the job that was to drain it.
///
/// Layout of Swift 6.3's runtime, found by `ExecutorCapture`'s self-test or not used at all: word 8
/// of a separate drain job is its actor; a word of the actor heads a list of jobs linked by their
/// word 2; the low byte of word 4 of a job is its kind, zero for a task.
enum ActorQueueReader {
    /// Whether the self-test found a known task in the queue of a known actor.
    nonisolated(unsafe) static var isCalibrated = false

    static func tasks(waitingBehind job: UInt) -> [UInt64] {
        var tasks: [UInt64] = []
        guard let words = read(job, 9), words.count == 9 else { return [] }
        guard let actor = read(words[8], 14) else { return [] }
        for index in 3..<actor.count {
            walk(from: actor[index] & ~7, into: &tasks)
        }
        return tasks
    }

    private static func walk(from head: UInt, into tasks: inout [UInt64]) {
        var node = head
        var steps = 0
        while node > 4_096, steps < 100_000, let words = read(node, 5) {
            steps += 1
            guard words[4] & 0xFF == 0 else {
                node = words[2] & ~7
                continue
            }
            let task = jobTaskIdentifier(unsafeBitCast(node, to: UnownedJob.self))
            guard onebar_task_owner(task) != 0 else { return }
            if !tasks.contains(task) { tasks.append(task) }
            node = words[2] & ~7
        }
    }

    private static func read(_ address: UInt, _ count: Int) -> [UInt]? {
        guard address > 4_096, address % 8 == 0 else { return nil }
        var words = [UInt](repeating: 0, count: count)
        let got = onebar_read_words(address, &words, count)
        return got == count ? words : nil
    }
}
#endif
