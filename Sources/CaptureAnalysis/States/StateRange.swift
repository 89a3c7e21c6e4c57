/// One line of a state list: times in binary seconds, as the published tools print them.
package struct StateRange: Equatable, Sendable {
    /// The state's name in the radio file.
    package var state: String
    /// Seconds since the beginning of the trace.
    package var start: Double
    /// Seconds since the beginning of the trace.
    package var end: Double
    /// Joules, by the arithmetic of the mode.
    package var joules: Double

    /// Makes a line.
    package init(state: String, start: Double, end: Double, joules: Double) {
        self.state = state
        self.start = start
        self.end = end
        self.joules = joules
    }
}
