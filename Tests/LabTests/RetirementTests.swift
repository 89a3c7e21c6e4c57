import Foundation
import Profiles
import Quantities
import SimulationKernel
import Testing

@testable import Lab

/// A world that was judged is let go of, although its app's tasks never end.
@Suite struct RetirementTests {
    private struct Traces {
        weak var world: World?
        weak var server: AnyObject?
        weak var lastPhone: Phone?
    }

    /// What is left of a world that was played and has retired.
    private func play(_ scenario: Scenario) throws -> [String] {
        let traces = try trace(scenario)
        var left: [String] = []
        if traces.world != nil { left.append("world") }
        if traces.server != nil { left.append("server") }
        if traces.lastPhone != nil { left.append("phone") }
        return left
    }

    private func trace(_ scenario: Scenario) throws -> Traces {
        try HashingCheck.require(line: "scripts/test")
        return WorldTurn.with(scenario) { world in
            #expect(world.play() == nil)
            return Traces(world: world, server: world.server, lastPhone: world.phones.last)
        }
    }

    @Test func `nothing of a world with one phone outlives its retirement`() throws {
        let left = try play(LabRuns.scenario("two-messages"))
        #expect(left == [])
    }

    @Test func `every phone of a fleet goes with its world`() throws {
        var scenario = try LabRuns.testScenario("fleet")
        scenario.scenario.fleet?.clients = 3
        let left = try play(scenario)
        #expect(left == [])
    }
}
