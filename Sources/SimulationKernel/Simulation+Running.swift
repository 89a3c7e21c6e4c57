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
                let fault = fault()
            {
                return .broken(fault)
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

    private func fault() -> KernelFault? {
        if let wakeUp = foreignWakeUps.first { return wakeUp }
        let handled = core.pointee.handled
        if handled >= budget.total { return .eventBudget(limit: budget.total, at: instant) }
        guard handled >= core.pointee.stopAt else { return nil }
        return .livelock(events: budget.sameInstant, at: instant, owner: lastOwnerLabel)
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
        let pointer = core.pointee.queue.slots + Int(entry.slot)
        guard pointer.pointee.generation == entry.generation else { return }
        core.pointee.queue.live &-= 1
        let tag = pointer.pointee.tag
        let payload = pointer.pointee.payload
        if tag >> 28 == EventKind.receiver {
            let receiver = Self.box(of: pointer, as: ReceiverBox.self).move()
            core.pointee.queue.releaseSlot(entry.slot)
            advance(to: entry.at)
            core.pointee.handled &+= 1
            core.pointee.fingerprint.mix(at: entry.at, tag: tag, payload: payload)
            receiver.receiver.receive(payload, at: SimulationInstant(nanoseconds: entry.at))
        } else {
            handleOwned(entry, tag: tag, payload: payload)
        }
    }

    @inline(never)
    private func handleOwned(_ entry: EventEntry, tag: UInt32, payload: UInt64) {
        let pointer = core.pointee.queue.slots + Int(entry.slot)
        let owner = tag & EventSlot.ownerMask
        let kind = tag >> 28
        guard core.pointee.incarnations[Int(owner)].pointee.isAlive else {
            // The closure, job or continuation of the dead is neither run nor released.
            core.pointee.queue.releaseSlot(entry.slot)
            if kind == EventKind.job { noteDropped(Self.job(payload), owner: owner) }
            morgue.keepUntouched()
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
                    lane: UInt8(truncatingIfNeeded: tag >> 26 & 3)
                )
            )
            return
        }
        core.pointee.handled &+= 1
        let shown = kind == EventKind.wakeUp ? 0 : payload
        core.pointee.fingerprint.mix(at: entry.at, tag: tag, payload: shown)
        switch kind {
        case EventKind.action, EventKind.handOver:
            let action = Self.box(of: pointer, as: ActionBox.self).move()
            core.pointee.queue.releaseSlot(entry.slot)
            let context = enter(kind == EventKind.action ? owner : 0, lane: LaneCore.none)
            action.run()
            leave(to: context)
        case EventKind.wakeUp:
            let isCancelled = pointer.pointee.first != 0
            core.pointee.queue.releaseSlot(entry.slot)
            wake(payload, isCancelled: isCancelled, owner: owner)
        case EventKind.lane:
            core.pointee.queue.releaseSlot(entry.slot)
            unpark(owner: owner, lane: UInt8(truncatingIfNeeded: tag >> 26 & 3))
        default:
            preconditionFailure("an event of kind \(kind) cannot run")
        }
    }
}
