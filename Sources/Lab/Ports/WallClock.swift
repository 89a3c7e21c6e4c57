import Quantities
import SimulationKernel

/// The phone's wall clock: runs with simulated time, and jumps when a fault says so.
///
/// The same clock that `Date()` reads on the thread of the world.
final class WallClock: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    /// Names the boot that the monotonic clock counts from.
    var bootIdentifier: String { "boot-\(boots)" }
    /// Boots so far.
    private(set) var boots = 1
    private let simulation: Simulation

    init(simulation: Simulation) {
        self.simulation = simulation
    }

    var nanosecondsSince1970: Int64 { simulation.wallNanoseconds }

    func reboot() {
        boots += 1
    }

    func jump(by span: Duration) {
        simulation.wallOffset += span
    }
}
