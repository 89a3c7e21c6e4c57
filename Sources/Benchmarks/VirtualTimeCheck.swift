import Foundation
import Quantities
import SimulationKernel

/// Runs ordinary code with a main actor in simulated time, and looks whether it is repeatable.
///
/// The main actor is captured only in a program of its own, so this is not a test of the test bundle.
enum VirtualTimeCheck {
    private final class Diary: @unchecked Sendable {
        var lines: [String] = []
    }

    @MainActor
    private final class Screen {
        func show(_ diary: Diary, _ app: Incarnation) async {
            app.block(for: .milliseconds(12))
            diary.lines.append("main at \(milliseconds()) ms")
            try? await Task.sleep(for: .milliseconds(8))
            diary.lines.append("main again at \(milliseconds()) ms")
        }
    }

    private static func milliseconds() -> Int {
        let seconds = Date().timeIntervalSince1970 - Double(Simulation.defaultWallStart)
        return Int((seconds * 1_000).rounded())
    }

    /// Prints what it saw; 0 if it is as it must be, 70 if not.
    static func run() throws -> Int32 {
        try HashingCheck.require(line: "Benchmarks virtual-time")
        try ExecutorCapture.install(includingMain: true)
        let (first, fingerprint) = observe()
        let (second, again) = observe()
        for line in first { print(line) }
        print("fingerprint \(fingerprint)")
        // Two screens block the main thread for 12 ms each, from 0 and from 12 ms, and then sleep 8 ms. The
        // first one's timer is due at 20 ms, while the second one blocks; the background goes on.
        let expected = [
            "main at 12 ms", "main at 24 ms", "main again at 24 ms", "main again at 32 ms",
            "background at 5000 ms after 5.0 seconds",
        ]
        let isRight = first == second && fingerprint == again && Array(first.dropLast()) == expected
        print(isRight ? "repeatable" : "NOT repeatable: \(second)")
        return isRight ? 0 : 70
    }

    private static func observe() -> ([String], Fingerprint) {
        let simulation = Simulation(seed: 7)
        let diary = Diary()
        let app = simulation.makeProcess(named: "app").launch()
        for _ in 0..<2 {
            app.startOnMain { await Screen().show(diary, app) }
        }
        app.start {
            let started = ContinuousClock.now
            try? await Task.sleep(for: .seconds(5))
            diary.lines.append(
                "background at \(milliseconds()) ms after \(ContinuousClock.now - started)"
            )
            var system = SystemRandomNumberGenerator()
            let letters = Set(["a", "b", "c", "d", "e"]).joined()
            diary.lines.append("draws \(UUID()) \(system.next()) \(letters)")
        }
        simulation.runUntilQuiescent()
        return (diary.lines, simulation.fingerprint)
    }
}
