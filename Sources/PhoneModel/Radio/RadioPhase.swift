import Quantities

/// What a machine says of an instant that it has not drawn yet.
struct RadioPhase: Equatable {
    /// The state that the radio is in.
    var state: Int
    /// How long a packet that is handed over then has to wait.
    var wait: Duration = .zero
    /// The state that it waits in; none if it does not.
    var promotion: Int = -1
    /// Whether a capture shows the waiting packet when it was handed over rather than when it crosses.
    var isSeenBeforehand = false
}
