import Quantities

/// An app or service that can be launched, killed and launched again.
package final class SimulatedProcess {
    /// The name that reports print.
    package let name: String
    /// The device it runs on, counted from zero.
    package let device: Int
    /// Launches so far.
    package private(set) var launches = 0
    /// The launch that runs now, or ran last.
    package private(set) var current: Incarnation?

    private unowned let simulation: Simulation

    init(name: String, device: Int, simulation: Simulation) {
        self.name = name
        self.device = device
        self.simulation = simulation
    }

    /// Starts it anew; traps while it runs.
    package func launch() -> Incarnation {
        precondition(current?.isAlive != true, "\(name) runs already")
        launches += 1
        let incarnation = simulation.addIncarnation(of: self, number: launches)
        current = incarnation
        return incarnation
    }
}
