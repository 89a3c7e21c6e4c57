import CVirtualTime
import Quantities

/// One launch of a process: it runs until it is killed, and what it left behind is inert from then on.
///
/// Everything that a seam hands to a process is bound to its incarnation. When that dies, its timers and
/// jobs are dropped, its continuations are never resumed, and its effects do nothing.
package final class Incarnation: @unchecked Sendable {
    /// The process that was launched.
    package let process: SimulatedProcess
    /// The launch, counted from 1.
    package let number: Int
    /// Process and launch, such as `phone#2`.
    package let label: String
    /// When it was launched.
    package let launchedAt: SimulationInstant
    /// When it died; nil while it lives.
    package internal(set) var diedAt: SimulationInstant?
    /// Why it died, in a few words.
    package internal(set) var causeOfDeath: String?

    /// Kills it at its k-th effect.
    package var killPlan: KillPlan? {
        didSet { plannedEffects = 0 }
    }
    /// Asked before every effect; the kill plan comes first.
    package var onEffect: ((EffectRecord) -> EffectDecision)?
    /// Whether `effects` is filled: the numbered list of points at which it can be made to die.
    package var recordsEffects = false
    /// Every effect so far, if they are recorded.
    package internal(set) var effects: [EffectRecord] = []
    /// Effects so far.
    package internal(set) var effectCount = 0
    /// Calls that it may still make after its death, before it must have suspended.
    ///
    /// A million is an assumption: no code that comes to an end makes more.
    package var zombieStepLimit = 1_000_000

    let core: UnsafeMutablePointer<IncarnationCore>
    let index: UInt32
    /// Not touched once the incarnation is dead, so that it may outlive its world.
    unowned(unsafe) let simulation: Simulation
    var effectCounts = [Int](repeating: 0, count: EffectKind.allCases.count)
    var plannedEffects = 0
    var zombieSteps = 0
    var deathCallbacks: [() -> Void] = []
    var possessions: [AnyObject] = []
    /// What came due while it was suspended, in this order.
    var held: [HeldTurn] = []
    let portableExecutor: PortableExecutor?

    init(
        process: SimulatedProcess,
        number: Int,
        label: String,
        simulation: Simulation,
        core: UnsafeMutablePointer<IncarnationCore>,
        index: UInt32
    ) {
        self.process = process
        self.number = number
        self.label = label
        self.simulation = simulation
        self.core = core
        self.index = index
        launchedAt = simulation.now
        portableExecutor =
            simulation.mode == .portable ? PortableExecutor(simulation, owner: index) : nil
    }

    /// Whether it lives.
    package var isAlive: Bool { core.pointee.isAlive }

    /// Whether the system gives it no time now: its timers and jobs wait.
    package var isSuspended: Bool { core.pointee.isSuspended }

    /// Whether the code that asks may still do anything: false for a zombie, and on a foreign thread.
    package var canAct: Bool {
        guard core.pointee.isAlive, simulation.admitsThread(of: self) else { return false }
        if core.pointee.isDying { simulation.settleDeath(of: index) }
        return core.pointee.canAct(on: runningLane)
    }

    /// The lane of this incarnation that runs now, as a number.
    @inline(__always)
    var runningLane: UInt8 {
        let kernel = simulation.core
        return kernel.pointee.current == index ? kernel.pointee.lane : LaneCore.none
    }

    /// How much later than the world's instant the next job of `lane` can run.
    package func lag(of lane: ExecutionLane) -> Duration {
        guard isAlive else { return .zero }
        let freeAt = core.pointee.lanes[Int(lane.rawValue)].freeAt
        return .nanoseconds(max(0, freeAt - simulation.state.pointee.instant_ns))
    }

    /// Tasks begun by `start` that have not returned.
    package var unfinishedTasks: Int {
        core.pointee.tasksStarted - core.pointee.tasksFinished
    }

    /// Calls `callback` when it is killed, after its fence and before any later event; in this order.
    package func onDeath(_ callback: @escaping () -> Void) {
        deathCallbacks.append(callback)
    }

    /// Keeps `object` as its own: alive with it, in the morgue afterwards, never released.
    package func own(_ object: AnyObject) {
        possessions.append(object)
    }

    // MARK: running

    /// Starts a task that belongs to it.
    package func start(_ body: @escaping @Sendable () async -> Void) {
        begin {
            let task: @Sendable () async -> Void = { [self] in
                await body()
                core.pointee.tasksFinished += 1
            }
            if let portableExecutor {
                Task.detached(
                    executorPreference: portableExecutor,
                    priority: .medium,
                    operation: task
                )
            } else {
                Task.detached(priority: .medium, operation: task)
            }
        }
    }

    /// Starts a task on its main actor; the main actor must be captured, as it is in the runner.
    package func startOnMain(_ body: @escaping @MainActor @Sendable () async -> Void) {
        simulation.requireMainActor()
        begin {
            let task: @MainActor @Sendable () async -> Void = { [self] in
                await body()
                core.pointee.tasksFinished += 1
            }
            Task.detached(priority: .medium, operation: task)
        }
    }

    private func begin(_ body: () -> Void) {
        guard canAct else { return }
        core.pointee.tasksStarted += 1
        enter(body)
    }

    /// Runs `body` now as its code, outside its lanes: for seams.
    ///
    /// Its own jobs, timers and entropy are those of the process; it waits for no lane.
    package func enter<Result>(_ body: () throws -> Result) rethrows -> Result {
        try enter(rawLane: LaneCore.none, body)
    }

    /// Runs `body` now as code of `lane`, at the local time of that lane.
    package func enter<Result>(
        lane: ExecutionLane,
        _ body: () throws -> Result
    ) rethrows -> Result {
        try enter(rawLane: lane.rawValue, body)
    }

    private func enter<Result>(rawLane: UInt8, _ body: () throws -> Result) rethrows -> Result {
        guard isAlive else {
            preconditionFailure("\(label) is dead; ask canAct before entering it")
        }
        let context = simulation.enter(index, lane: rawLane)
        let freeAt = core.pointee.lanes[Int(rawLane)].freeAt
        simulation.state.pointee.now_ns = max(context.now, freeAt)
        defer {
            if core.pointee.isDying { simulation.settleDeath(of: index) }
            simulation.leave(to: context)
        }
        return try simulation.host(body)
    }

    /// Blocks the running lane for `span`: clocks read later at once, its next job waits.
    ///
    /// Called outside a lane, by a seam, it is work of the background lane. A zombie blocks nothing.
    package func block(for span: Duration) {
        guard canAct else { return }
        precondition(span >= .zero, "a call cannot block for \(span)")
        let running = runningLane
        let index = running == LaneCore.none ? ExecutionLane.background.rawValue : running
        let lane = core.pointee.lanes + Int(index)
        let start = max(simulation.state.pointee.now_ns, lane.pointee.freeAt)
        lane.pointee.freeAt = start + span.wholeNanoseconds
        if simulation.core.pointee.current == self.index {
            simulation.state.pointee.now_ns = lane.pointee.freeAt
        }
    }
}

extension Incarnation: CustomStringConvertible {
    /// Process and launch, such as `phone#2`.
    package var description: String { label }
}
