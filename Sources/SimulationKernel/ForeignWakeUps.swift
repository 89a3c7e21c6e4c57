import CVirtualTime
import Synchronization

/// The wake-ups of one world's tasks that came from threads that do not host it.
///
/// The only part of a world that other threads touch.
final class ForeignWakeUps: Sendable {
    private struct State {
        var faults: [KernelFault] = []
        var registrations: [UInt32] = []
    }

    private let state = Mutex(State())
    private let flag = Atomic<Bool>(false)

    /// Whether there was any; a plain load, for the event loop.
    @inline(__always) var isInterrupted: Bool { flag.load(ordering: .relaxed) }

    /// The first, if there was one.
    var first: KernelFault? { state.withLock { $0.faults.first } }

    func report(_ fault: KernelFault) {
        state.withLock { $0.faults.append(fault) }
        flag.store(true, ordering: .releasing)
    }

    /// Gives a number that names an owner of tasks to every world and thread.
    func register(label: String) -> UInt32 {
        let number = TaskRegistry.shared.add(label: label, world: self)
        state.withLock { $0.registrations.append(number) }
        return number
    }

    /// Forgets the world's owners: what wakes up later is buried without a report.
    func close() {
        let gone = state.withLock { state in
            defer { state.registrations = [] }
            return state.registrations
        }
        TaskRegistry.shared.remove(gone)
    }
}

/// Who owns which tasks, over all worlds of this process.
final class TaskRegistry: Sendable {
    static let shared = TaskRegistry()

    private struct State {
        var next: UInt32 = 1
        var owners: [UInt32: (label: String, world: ForeignWakeUps)] = [:]
    }

    private let state = Mutex(State())

    func add(label: String, world: ForeignWakeUps) -> UInt32 {
        state.withLock { state in
            let number = state.next
            state.next &+= 1
            state.owners[number] = (label, world)
            return number
        }
    }

    func remove(_ numbers: [UInt32]) {
        state.withLock { state in
            for number in numbers { state.owners[number] = nil }
        }
    }

    func owner(_ number: UInt32) -> (label: String, world: ForeignWakeUps)? {
        state.withLock { $0.owners[number] }
    }
}
