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
        let queue = core.pointee.queue
        for index in queue.slotRange {
            let slot = queue.slots + index
            switch slot.pointee.kind {
            case EventKind.receiver:
                Self.receiver(of: slot).deinitialize(count: 1)
            case EventKind.action, EventKind.handOver:
                guard slot.pointee.owner == 0 else { continue }
                Self.action(of: slot).deinitialize(count: 1)
            default:
                continue
            }
        }
        for incarnation in incarnations {
            guard let incarnation else { continue }
            incarnation.core.pointee.isAlive = false
            for object in incarnation.possessions { morgue.keep(object) }
        }
        foreignWakeUps.close()
        queue.deallocate()
        core.pointee.passedOn.deallocate()
        core.pointee.ready.deallocate()
        core.pointee.incarnations.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
        state.deallocate()
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
