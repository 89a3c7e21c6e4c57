import Foundation
import Lab
import SQLiteStore
import SimulationKernel

/// `onebar doctor`: whether this machine can run the lab, and in which mode.
package enum DoctorCommand: Subcommand {
    package static let name = "doctor"
    package static let summary = "tells whether this machine can run the lab"
    package static let operands = ""
    package static let discussion = [
        "Tries the capture of executors, clocks and entropy on a small world, and says which mode",
        "runs would have. In portable mode only code that uses injected clocks can be simulated.",
    ]
    package static let options: [OptionSpec] = []

    /// Prints one line for each thing that it tries.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        let console = context.console
        console.print("onebar          \(FrontDoor.version)")
        console.print("sqlite          \(SQLiteVFS.libraryVersion)")
        console.print("mode            \(LabMode.current.rawValue)")
        console.print(
            "hashing         \(HashingCheck.isDeterministic ? "deterministic" : "random")"
        )
        do {
            try LabStart.prepare()
        } catch {
            console.print("self-test       failed")
            throw error
        }
        console.print(
            LabMode.current == .captured
                ? "self-test       Task, Task.sleep, groups, actors and the clock are virtual"
                : "self-test       not needed: only injected clocks are virtual"
        )
        return .pass
    }
}
