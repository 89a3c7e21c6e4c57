import Quantities

/// One thing that was observed, when, and on which device.
package struct TraceRecord: Equatable, Sendable {
    /// When it happened.
    package let instant: SimulationInstant
    /// The device it happened to or came from, counted from zero.
    package let device: Int
    /// What happened.
    package let observation: Observation

    /// Makes a record.
    package init(instant: SimulationInstant, device: Int, observation: Observation) {
        self.instant = instant
        self.device = device
        self.observation = observation
    }
}
