import Quantities

/// A time or a span inside a radio machine, with the reading that decides ties.
///
/// Energy is always computed from `nanoseconds`. A simulation compares them too. The published tools
/// compare binary seconds, in which 1.1 - 1.0 exceeds 0.1; an analysis that has to give their state
/// lists compares `seconds`, which follow the same additions.
package struct RadioTime: Equatable, Sendable {
    /// Whole nanoseconds.
    package var nanoseconds: Int64
    /// The same in binary seconds, rounded as the published tools round it.
    package var seconds: Double

    /// Makes a time; its binary reading is the one nearest to the decimal.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
        seconds = Double(nanoseconds) / 1e9
    }

    init(nanoseconds: Int64, seconds: Double) {
        self.nanoseconds = nanoseconds
        self.seconds = seconds
    }

    /// Makes a span.
    package init(_ span: Duration) {
        self.init(nanoseconds: span.wholeNanoseconds)
    }

    /// Makes a time of a simulation.
    package init(_ instant: SimulationInstant) {
        self.init(nanoseconds: instant.nanoseconds)
    }

    /// The beginning.
    package static let zero = RadioTime(nanoseconds: 0)

    static func + (left: RadioTime, right: RadioTime) -> RadioTime {
        RadioTime(
            nanoseconds: left.nanoseconds + right.nanoseconds,
            seconds: left.seconds + right.seconds
        )
    }

    static func - (left: RadioTime, right: RadioTime) -> RadioTime {
        RadioTime(
            nanoseconds: left.nanoseconds - right.nanoseconds,
            seconds: left.seconds - right.seconds
        )
    }
}

/// Which reading of a time decides whether one is later than another.
package enum RadioEdges: Sendable {
    /// Whole nanoseconds: simulations.
    case exact
    /// Binary seconds: analyses that must agree with tools that compute in them.
    case binary

    func isLess(_ left: RadioTime, _ right: RadioTime) -> Bool {
        switch self {
        case .exact: left.nanoseconds < right.nanoseconds
        case .binary: left.seconds < right.seconds
        }
    }

    func earlier(_ left: RadioTime, _ right: RadioTime) -> RadioTime {
        isLess(right, left) ? right : left
    }

    func later(_ left: RadioTime, _ right: RadioTime) -> RadioTime {
        isLess(left, right) ? right : left
    }
}
