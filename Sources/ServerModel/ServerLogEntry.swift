import Quantities

/// One line of the server's log: a request and what came of it.
package struct ServerLogEntry: Equatable, Sendable {
    /// When the answer was sent, or the request was given up.
    package var instant: SimulationInstant
    /// The number of the request in the run.
    package var request: Int64
    /// Route template, such as "PATCH /files/*".
    package var route: String
    /// The status; zero when nothing could be answered.
    package var status: Int
    /// What it did, as half a sentence, such as "u3 holds 262144 of 3500000 bytes".
    package var outcome: String
}
