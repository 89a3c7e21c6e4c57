import CVirtualTime
import Quantities

extension Simulation {
    /// Runs every event up to and including `end`, then stands at `end`.
    ///
    /// A world that breaks (a budget, a foreign wake-up) stops where it broke and says so.
    @discardableResult
    package func run(until end: SimulationInstant) -> RunOutcome {
        precondition(end >= instant, "\(end) is past at \(instant)")
        let outcome = loop(limit: end.nanoseconds, while: nil)
        guard outcome == .quiescent else { return outcome }
        advance(to: end.nanoseconds)
        return .reachedEnd
    }

    /// Runs events as long as `condition` holds before each of them, and something is left to run.
    @discardableResult
    package func run(while condition: () -> Bool) -> RunOutcome {
        withoutActuallyEscaping(condition) { loop(limit: .max, while: $0) }
    }

    /// Runs until nothing is left to happen; time stands at the last event.
    @discardableResult
    package func runUntilQuiescent() -> RunOutcome {
        loop(limit: .max, while: nil)
    }

    /// Ends the run that is going on, after this event; it comes back with `conditionMet`.
    package func stop() {
        core.pointee.isStopped = true
        core.pointee.stopAt = 0
    }

    private func loop(limit: Int64, while condition: (() -> Bool)?) -> RunOutcome {
        precondition(!isRunning, "a world cannot be run from within its own events")
        isRunning = true
        let previous = onebar_hosted_state()
        onebar_host_state(state)
        defer {
            onebar_host_state(previous)
            isRunning = false
        }
        let core = core
        while true {
            if core.pointee.handled >= core.pointee.stopAt || foreignWakeUps.isInterrupted,
                let outcome = interruption()
            {
                return outcome
            }
            if let condition, !condition() { return .conditionMet }
            if core.pointee.ready.isEmpty {
                guard let top = core.pointee.queue.top(), top.pointee.at <= limit else { break }
                let entry = top.pointee
                core.pointee.queue.removeTop()
                handle(entry)
            } else if core.pointee.queue.hasEntry(
                at: state.pointee.instant_ns,
                before: core.pointee.ready.firstSequence
            ),
                let top = core.pointee.queue.top()
            {
                let entry = top.pointee
                core.pointee.queue.removeTop()
                handle(entry)
            } else {
                run(core.pointee.ready.removeFirst())
            }
        }
        return .quiescent
    }

    // MARK: budgets

    func resetStop() {
        core.pointee.totalLimit = budget.total
        core.pointee.sameInstantLimit = budget.sameInstant
        core.pointee.resetStop()
    }

    private func interruption() -> RunOutcome? {
        if let wakeUp = foreignWakeUps.first { return .broken(wakeUp) }
        let handled = core.pointee.handled
        if handled >= budget.total {
            return .broken(.eventBudget(limit: budget.total, at: instant))
        }
        if core.pointee.isStopped {
            core.pointee.isStopped = false
            core.pointee.resetStop()
            return .conditionMet
        }
        guard handled >= core.pointee.stopAt else { return nil }
        return .broken(.livelock(events: budget.sameInstant, at: instant, owner: lastOwnerLabel))
    }

    private var lastOwnerLabel: String {
        incarnations[Int(core.pointee.lastOwner)]?.label ?? "the world"
    }

    @inline(__always)
    private func advance(to nanoseconds: Int64) {
        if nanoseconds != state.pointee.instant_ns {
            state.pointee.instant_ns = nanoseconds
            core.pointee.resetStop()
        }
        state.pointee.now_ns = nanoseconds
    }

    // MARK: events

    @inline(__always)
    private func handle(_ entry: EventEntry) {
        let pointer = core.pointee.queue.slots + entry.slot
        guard pointer.pointee.sequence == entry.sequence else { return }
        core.pointee.queue.live &-= 1
        guard pointer.pointee.kind == EventKind.receiver else {
            handleOwned(entry)
            return
        }
        let payload = pointer.pointee.payload
        let object = pointer.pointee.first
        let box = Self.receiver(of: pointer).move()
        core.pointee.queue.releaseSlot(entry.slot)
        advance(to: entry.at)
        core.pointee.handled &+= 1
        core.pointee.lastOwner = 0
        core.pointee.fingerprint.mix(
            at: entry.at,
            tag: EventKind.tag(EventKind.receiver, owner: 0),
            payload: payload
        )
        core.pointee.runningReceiver = object
        core.pointee.heldReceiver = object
        box.receiver.receive(payload, at: SimulationInstant(nanoseconds: entry.at))
        core.pointee.runningReceiver = 0
        if core.pointee.heldReceiver == 0 {
            // A new event of the receiver owns the reference now.
            core.pointee.passedOn.initialize(to: box)
        } else {
            core.pointee.heldReceiver = 0
        }
    }

    @inline(never)
    private func handleOwned(_ entry: EventEntry) {
        let pointer = core.pointee.queue.slots + entry.slot
        let (kind, lane, owner) = (
            pointer.pointee.kind, pointer.pointee.lane, pointer.pointee.owner
        )
        let payload = pointer.pointee.payload
        guard core.pointee.incarnations[Int(owner)].pointee.isAlive else {
            // The closure, job or continuation of the dead is neither run nor released.
            core.pointee.queue.releaseSlot(entry.slot)
            if kind == EventKind.job { noteDropped(Self.job(payload), owner: owner) }
            morgue.keepUntouched()
            return
        }
        if core.pointee.incarnations[Int(owner)].pointee.isSuspended,
            kind != EventKind.job, kind != EventKind.handOver
        {
            // It keeps its slot, so that who would cancel it still can.
            core.pointee.queue.live &+= 1
            hold(.event(entry), of: owner)
            return
        }
        advance(to: entry.at)
        core.pointee.lastOwner = owner
        if kind == EventKind.job {
            core.pointee.queue.releaseSlot(entry.slot)
            run(
                ReadyJob(
                    job: Self.job(payload),
                    sequence: entry.sequence,
                    owner: owner,
                    lane: lane
                )
            )
            return
        }
        core.pointee.handled &+= 1
        core.pointee.fingerprint.mix(
            at: entry.at,
            tag: EventKind.tag(kind, lane: lane, owner: owner),
            payload: 0
        )
        switch kind {
        case EventKind.action, EventKind.handOver:
            let action = Self.action(of: pointer).move()
            core.pointee.queue.releaseSlot(entry.slot)
            let context = enter(kind == EventKind.action ? owner : 0, lane: LaneCore.none)
            action.run()
            leave(to: context)
        case EventKind.wakeUp:
            let isCancelled = pointer.pointee.first != 0
            core.pointee.queue.releaseSlot(entry.slot)
            core.pointee.queue.prefetchNextTasks()
            wake(payload, isCancelled: isCancelled, owner: owner)
        case EventKind.lane:
            core.pointee.queue.releaseSlot(entry.slot)
            unpark(owner: owner, lane: lane)
        default:
            preconditionFailure("an event of kind \(kind) cannot run")
        }
    }
}
