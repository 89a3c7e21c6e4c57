import Quantities

/// A model that takes its own events without a closure for each: the fast way to schedule.
package protocol EventReceiver: AnyObject {
    /// Handles an event that was scheduled with `payload`.
    func receive(_ payload: UInt64, at instant: SimulationInstant)
}
