import CVirtualTime
import Quantities

/// A turn that came while its owner was suspended.
enum HeldTurn {
    case job(ReadyJob)
    /// A timer, an action or a lane's wake-up; it keeps its slot.
    case event(EventEntry)
}

/// Suspended processes: alive, and given no time.
extension Simulation {
    /// Gives a process no more time until `resume`: no timer of it fires and no code of it runs.
    ///
    /// What it handed to the world before goes on. What becomes due waits. Traps when its own code runs now,
    /// or runs ahead of the world: let a call that blocks a lane return first (`Incarnation.lag`).
    /// Does nothing for the dead.
    package func suspend(_ incarnation: Incarnation) {
        guard incarnation.isAlive, !incarnation.isSuspended else { return }
        precondition(
            core.pointee.current != incarnation.index,
            "\(incarnation.label) cannot be suspended from within its own code"
        )
        for lane in [ExecutionLane.main, .background] {
            precondition(
                incarnation.lag(of: lane) == .zero,
                "\(incarnation.label) is in a blocking call; suspend it when that has returned"
            )
        }
        incarnation.core.pointee.isSuspended = true
        note("suspend", UInt64(incarnation.index))
    }

    /// Gives a process time again: all that became due meanwhile runs now, in the order it became due.
    package func resume(_ incarnation: Incarnation) {
        guard incarnation.isAlive, incarnation.isSuspended else { return }
        incarnation.core.pointee.isSuspended = false
        note("resume", UInt64(incarnation.index))
        let held = incarnation.held
        incarnation.held = []
        for turn in held {
            switch turn {
            case .job(var ready):
                core.pointee.sequence &+= 1
                ready.sequence = core.pointee.sequence
                core.pointee.ready.append(ready)
            case .event(let entry):
                // Cancelled meanwhile, or not: the slot tells.
                let slot = core.pointee.queue.slots + entry.slot
                guard slot.pointee.sequence == entry.sequence else { continue }
                core.pointee.queue.live &-= 1
                _ = file(entry.slot, at: state.pointee.instant_ns)
            }
        }
    }

    @inline(never)
    func hold(_ turn: HeldTurn, of owner: UInt32) {
        guard let incarnation = incarnations[Int(owner)] else {
            preconditionFailure("only processes are suspended")
        }
        incarnation.held.append(turn)
    }

    /// What the dead would have done is neither run nor released.
    func dropHeld(of incarnation: Incarnation) {
        for turn in incarnation.held {
            switch turn {
            case .job(let ready):
                noteDropped(ready.job, owner: ready.owner)
            case .event(let entry):
                let slot = core.pointee.queue.slots + entry.slot
                guard slot.pointee.sequence == entry.sequence else { continue }
                discard(entry.slot)
            }
            morgue.keepUntouched()
        }
        incarnation.held = []
    }
}
