import Foundation
import Lab
import Measurements
import PacketCapture
import Profiles
import Reporting
import SimulationKernel
import Trace

/// Runs seeds that it is told on stdin, one line each, and answers each with a line on stdout.
///
/// Not for people: `onebar run` starts it, so that every world has a process of its own.
package enum WorkerCommand: Subcommand {
    package static let name = "worker"
    package static let summary = "runs seeds for 'onebar run' (internal)"
    package static let operands = "PROFILE"
    package static let discussion: [String] = []
    package static let options = [
        OptionSpec("--set", value: "KEY=VALUE", help: "replaces a value of the profile")
    ]

    /// A worker that has grown beyond this asks to be replaced: leaks of kills stay bounded.
    static let retirementBytes = 512 << 20

    /// Serves until stdin ends.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard let path = arguments.operands.first else {
            throw CommandFailure.usage("a worker needs a profile", remedy: "use 'onebar run'")
        }
        try LabStart.prepare(asWorker: true)
        let overrides = try arguments.all("--set").map { try ScenarioLoading.override($0) }
        let runner = try ScenarioLoading.runner(path, overrides)
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        while let line = readLine() {
            let order = try decoder.decode(SeedOrder.self, from: Data(line.utf8))
            let answer = answer(to: order, runner)
            var text = String(decoding: try encoder.encode(answer), as: UTF8.self)
            if ResidentMemory.bytes > retirementBytes { text += WorkerProcess.retirementMark }
            FileHandle.standardOutput.write(Data((text + "\n").utf8))
        }
        return .pass
    }

    private static func answer(to order: SeedOrder, _ runner: SeedRunner) -> SeedAnswer {
        var options = SeedRunner.Options()
        options.recordsTimeline = order.timeline
        options.recordsEffects = order.effects
        options.findsAdvice = order.advice
        options.capture = order.capture.map { path in
            SeedRunner.CapturePlan(
                path: path,
                comment: "onebar run \(runner.scenario.name) --seeds \(order.seed)"
            )
        }
        let recorder = order.perfetto.map { _ in
            PerfettoRecorder(
                title: "\(runner.scenario.name), seed \(order.seed)",
                faultNames: runner.scenario.faults.map(\.title)
            )
        }
        if let recorder {
            let held = HeldSink(sink: recorder)
            options.sinks = [{ held.sink }]
        }
        do {
            if let from = order.recordedFrom, let end = order.recordedTo {
                return SeedAnswer(
                    recording: try RunRecording(runner, seed: order.seed, window: from..<end)
                )
            }
            let run = try runner.run(seed: order.seed, options: options)
            if let recorder, let path = order.perfetto {
                do {
                    try Data(recorder.trace()).write(
                        to: URL(fileURLWithPath: path),
                        options: .atomic
                    )
                } catch {
                    return SeedAnswer(
                        unwritable: "\(path): error: \(error.localizedDescription) "
                            + "(choose another folder with --out DIR)"
                    )
                }
            }
            return SeedAnswer(
                result: run.result,
                fingerprint: "\(run.fingerprint)",
                checkpoints: run.fingerprint.checkpoints,
                events: run.events,
                effects: run.effects.map { "launch \($0.launch): \($0.record)" }
            )
        } catch let error as CaptureError {
            return SeedAnswer(
                unwritable: "\(error.path): error: \(error.problem) (\(error.remedy))"
            )
        } catch {
            return SeedAnswer(labFault: "seed \(order.seed): \(error)")
        }
    }
}

/// A sink on its way into the world that it will watch.
private struct HeldSink: @unchecked Sendable {
    // Made and used by the one thread that serves orders.
    let sink: any ObservationSink
}
