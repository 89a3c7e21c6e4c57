import ClientModules
import Lab
import Measurements
import Profiles
import Quantities
import SimulationKernel
import Testing

/// Client code that traps: the process says when, on the clock that the app lived by.
@Suite struct TrapTests {
    /// An app that works for five seconds and then finds something that cannot be.
    final class TrappingApp: LabApp {
        private let launch: LaunchContext

        init(_ launch: LaunchContext) { self.launch = launch }

        func run() async {
            try? await launch.environment.clock.sleep(for: .seconds(5))
            preconditionFailure("the app's own mistake")
        }

        func perform(_ action: AppAction) async throws {}
    }

    @Test func `a trap is told with its virtual time and its run`() async throws {
        let ending = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let scenario = try LabRuns.testScenario("short")
            let setup = WorldSetup(app: { TrappingApp($0) })
            _ = try SeedRunner(scenario: scenario, setup: setup).run(seed: 5)
        }
        let words = String(decoding: ending.standardErrorContent, as: UTF8.self)
        #expect(words.contains("the app's own mistake"), "\(words)")
        #expect(words.contains("onebar: trap at 5000000000 ns, seed 5 of short"), "\(words)")
        #expect(TrapNote.instant(in: words) == SimulationInstant(nanoseconds: 5_000_000_000))
    }

    @Test func `words without a note tell no time`() {
        #expect(TrapNote.instant(in: "Fatal error: x\nonebar: trap at noon") == nil)
        #expect(TrapNote.instant(in: "") == nil)
    }
}
