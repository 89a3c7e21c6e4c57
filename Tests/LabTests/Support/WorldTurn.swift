import Foundation
import Profiles
import SimulationKernel

@testable import Lab

/// A world of its own for a test that looks inside: one at a time in a process.
enum WorldTurn {
    /// Makes seed 1 of `scenario`, hands it over, and retires it.
    static func with<Answer>(
        _ scenario: Scenario,
        mode: LabMode = .current,
        _ body: (World) throws -> Answer
    ) rethrows -> Answer {
        SeedRunner.turn.lock()
        defer { SeedRunner.turn.unlock() }
        let world = World(
            scenario: scenario,
            seed: 1,
            mode: mode,
            options: SeedRunner.Options(),
            setup: WorldSetup()
        )
        defer { world.retire() }
        return try body(world)
    }
}
