import Foundation
import OnebarCommands
import SimulationKernel

// The order of sets and dictionaries is part of a run: start again with it fixed.
Reexecution.ensureDeterministicHashing()

// A worker that died must not take the lab along.
signal(SIGPIPE, SIG_IGN)

let environment = ProcessInfo.processInfo.environment
let context = CommandContext(
    console: .standard(environment: environment),
    environment: environment,
    executable: ExecutablePath.current,
    workingDirectory: FileManager.default.currentDirectoryPath
)
let words = Array(CommandLine.arguments.dropFirst())
Interruption.listen(words: words, console: context.console)
let code = FrontDoor.run(words, context)
exit(code.status)
