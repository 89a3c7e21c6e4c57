import Foundation
import OnebarCommands
import SimulationKernel

// The order of sets and dictionaries is part of a run: start again with it fixed.
Reexecution.ensureDeterministicHashing()

// A worker that died must not take the lab along, and control-C leaves nothing half-written.
signal(SIGPIPE, SIG_IGN)
signal(SIGINT) { _ in _exit(ExitCode.interrupted.status) }

let environment = ProcessInfo.processInfo.environment
let context = CommandContext(
    console: .standard(environment: environment),
    environment: environment,
    executable: ExecutablePath.current,
    workingDirectory: FileManager.default.currentDirectoryPath
)
let code = FrontDoor.run(Array(CommandLine.arguments.dropFirst()), context)
exit(code.status)
