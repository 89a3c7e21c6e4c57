import Quantities

/// Why a run of the event loop came back.
package enum RunOutcome: Hashable, Sendable {
    /// Time stands at the end that was asked for.
    case reachedEnd
    /// Nothing is left to happen.
    case quiescent
    /// The condition no longer holds.
    case conditionMet
    /// The world is broken: its figures mean nothing.
    case broken(KernelFault)

    /// The fault, if the world is broken.
    package var fault: KernelFault? {
        guard case .broken(let fault) = self else { return nil }
        return fault
    }
}

/// What makes a world's figures void.
package enum KernelFault: Error, Hashable, Sendable {
    /// The budget of events is spent.
    case eventBudget(limit: UInt64, at: SimulationInstant)
    /// Time stood still for too many events.
    case livelock(events: UInt64, at: SimulationInstant, owner: String)
    /// Something outside the lab woke a task of the world.
    case foreignWakeUp(task: UInt64, owner: String, thread: String)
}

extension KernelFault: CustomStringConvertible {
    /// A sentence that names the place and the likely cause.
    package var description: String {
        switch self {
        case .eventBudget(let limit, let instant):
            "the budget of \(limit) events was spent at \(instant); something never stops, "
                + "or the budget is too small for this world"
        case .livelock(let events, let instant, let owner):
            "\(events) events passed at \(instant) without time moving on, the last of \(owner); "
                + "look for a loop that retries without waiting"
        case .foreignWakeUp(let task, let owner, let thread):
            (task == 0 ? "a task of \(owner)" : "task \(task) of \(owner)")
                + " was woken by or runs on \(thread), which hosts no world; something outside the lab "
                + "(Dispatch, URLSession, a real timer or thread, in portable mode an unstructured "
                + "Task) holds its continuation, so the run cannot be repeated"
        }
    }
}
