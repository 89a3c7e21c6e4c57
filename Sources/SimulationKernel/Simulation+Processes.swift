import CVirtualTime
import Quantities

extension Simulation {
    /// Makes a process of this world; launch it to run code.
    package func makeProcess(named name: String, device: Int = 0) -> SimulatedProcess {
        if mode == .captured { ExecutorCapture.requireInstalled() }
        return SimulatedProcess(name: name, device: device, simulation: self)
    }

    func addIncarnation(of process: SimulatedProcess, number: Int) -> Incarnation {
        let label = "\(process.name)#\(number)"
        let core = UnsafeMutablePointer<IncarnationCore>.allocate(capacity: 1)
        core.initialize(
            to: IncarnationCore(
                entropyKey: streamKey("entropy", entity: label, purpose: "\(process.device)"),
                registration: foreignWakeUps.register(label: label)
            )
        )
        let index = self.core.pointee.add(core)
        let incarnation = Incarnation(
            process: process,
            number: number,
            label: label,
            simulation: self,
            core: core,
            index: index
        )
        incarnations.append(incarnation)
        return incarnation
    }

    /// Kills an incarnation now: fence, drop, forget; its death callbacks run before this returns.
    ///
    /// Nothing of it runs any more, but for the code that called this, if it is its own: that goes on as a
    /// zombie until it suspends. Events and hand-overs that it had stamped later than now are dropped.
    package func kill(_ incarnation: Incarnation, cause: String = "killed") {
        guard incarnation.core.pointee.isAlive else { return }
        let core = incarnation.core
        core.pointee.isAlive = false
        core.pointee.isDying = false
        incarnation.diedAt = now
        incarnation.causeOfDeath = cause
        note("kill", UInt64(incarnation.index))
        core.pointee.isSuspended = false
        for lane in 0..<3 { dropParked(in: core.pointee.lanes + lane, owner: incarnation.index) }
        dropHeld(of: incarnation)
        for object in incarnation.possessions { morgue.keep(object) }
        incarnation.possessions = []
        let callbacks = incarnation.deathCallbacks
        incarnation.deathCallbacks = []
        asWorld {
            for callback in callbacks { callback() }
        }
    }

    /// Kills the incarnation whose own code runs now, at its local time.
    ///
    /// Code that runs ahead of the world dies later than the world's instant: its lane is fenced at once,
    /// and what it had stamped before its death, and its other lane, go on until then.
    func killFromInside(_ incarnation: Incarnation, cause: String) {
        incarnation.core.pointee.isDying = false
        let isAhead =
            core.pointee.current == incarnation.index
            && core.pointee.lane != LaneCore.none
            && state.pointee.now_ns > state.pointee.instant_ns
        guard isAhead else {
            kill(incarnation, cause: cause)
            return
        }
        let lane = incarnation.core.pointee.lanes + Int(core.pointee.lane)
        lane.pointee.isFenced = true
        scheduleUnowned(at: now) { [unowned(unsafe) self] in
            kill(incarnation, cause: cause)
        }
    }

    func settleDeath(of index: UInt32) {
        guard let incarnation = incarnations[Int(index)] else { return }
        killFromInside(incarnation, cause: "died after effect \(incarnation.effectCount)")
    }

    /// Ends a world: whoever still lives is dead from here on, and nothing of it is released.
    func closeWorld() {
        retire()
        core.pointee.queue.deallocate()
        core.pointee.passedOn.deallocate()
        core.pointee.ready.deallocate()
        core.pointee.incarnations.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
        state.deallocate()
    }

    /// The world was judged: whoever still lives is dead from here on, and the world's own events are dropped.
    ///
    /// Tasks that never end keep what they refer to, and an event keeps its receiver: without this the two would keep
    /// the whole world. What wakes up later is buried without a report. Fingerprint and counts stay readable.
    package func retire() {
        precondition(!isRunning, "a world cannot retire from within its own events")
        foreignWakeUps.close()
        for incarnation in incarnations {
            guard let incarnation else { continue }
            incarnation.core.pointee.isAlive = false
            incarnation.deathCallbacks = []
            incarnation.onEffect = nil
            for object in incarnation.possessions { morgue.keep(object) }
            incarnation.possessions = []
        }
        for index in core.pointee.queue.slotRange { release(slot: index) }
        core.pointee.queue.deallocate()
        core.pointee.queue = EventQueue(capacity: 1, slotCapacity: 1)
        core.pointee.ready.deallocate()
        core.pointee.ready = ReadyQueue(capacity: 1)
    }

    /// Lets go of an event of the world; those of processes are neither run nor released.
    private func release(slot index: Int) {
        let slot = core.pointee.queue.slots + index
        switch slot.pointee.kind {
        case EventKind.receiver:
            let box = Self.receiver(of: slot).move()
            discard(index)
            _ = consume box
        case EventKind.action, EventKind.handOver:
            guard slot.pointee.owner == 0 else { return }
            let box = Self.action(of: slot).move()
            discard(index)
            _ = consume box
        default:
            return
        }
    }

    // MARK: threads

    /// Whether the calling thread may touch this world: it hosts it, or nobody runs it.
    ///
    /// A thread that may not is reported; the seam that asks does nothing then.
    @inline(__always)
    func admitsThread(of incarnation: Incarnation) -> Bool {
        isHostedHere || !isRunning || isReported(incarnation)
    }

    @inline(never)
    private func isReported(_ incarnation: Incarnation) -> Bool {
        foreignWakeUps.report(
            .foreignWakeUp(task: 0, owner: incarnation.label, thread: currentThreadName())
        )
        return false
    }

    func requireMainActor() {
        precondition(
            mode == .captured && ExecutorCapture.includesMain,
            "the main actor is simulated in the runner only: there ExecutorCapture includes it"
        )
    }

    func portableExecutor(of owner: UInt32) -> PortableExecutor {
        guard let executor = incarnations[Int(owner)]?.portableExecutor else {
            preconditionFailure("in portable mode only processes run tasks; this job has none")
        }
        return executor
    }
}
