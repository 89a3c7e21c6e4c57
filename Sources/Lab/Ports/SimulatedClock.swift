import ClientModules
import Foundation
import Quantities
import SimulationKernel

/// The clocks of one launch: monotonic time is the simulation's, wall time is the phone's.
final class SimulatedClock: ClientClock, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private let simulation: Simulation
    private let incarnation: Incarnation
    private let wallClock: WallClock

    init(incarnation: Incarnation, simulation: Simulation, wallClock: WallClock) {
        self.incarnation = incarnation
        self.simulation = simulation
        self.wallClock = wallClock
    }

    var now: Duration { simulation.now - .zero }

    var bootIdentifier: String { wallClock.bootIdentifier }

    var wallTime: Date {
        Date(timeIntervalSince1970: Double(wallClock.nanosecondsSince1970) / 1e9)
    }

    func sleep(until deadline: Duration) async throws {
        try await incarnation.sleep(until: .zero + deadline)
    }
}
