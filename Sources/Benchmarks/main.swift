// Benchmarks w1 N OPERATIONS | w2 N WAKEUPS [injected|task] | w3 CLIENTS CHUNKS | w4 CLIENTS [events|tasks]
//     | fleet CLIENTS ROUNDS | idle-day TRACE.down TRACE.up | virtual-time | fidelity ...
// One line a run, in the peers' format; scripts/bench compares them.
import Foundation
import Quantities
import SimulationKernel

/// Prints how to call it, and leaves.
func leave(_ problem: String) -> Never {
    print(problem)
    print(
        "usage: Benchmarks w1 N OPERATIONS | w2 N WAKEUPS [injected|task] | w3 CLIENTS CHUNKS"
            + " | w4 CLIENTS [events|tasks] | fleet CLIENTS ROUNDS | idle-day DOWN UP | virtual-time | fidelity GRID.csv [SEEDS [OUT-FOLDER]]"
    )
    exit(64)
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "fidelity" {
    exit(Fidelity.run(Array(arguments.dropFirst())))
}
if arguments.first == "virtual-time" {
    do {
        exit(try VirtualTimeCheck.run())
    } catch {
        print(error)
        exit(70)
    }
}
if arguments.first == "idle-day", arguments.count == 3 {
    do {
        try IdleDay.run(down: arguments[1], up: arguments[2])
        exit(0)
    } catch {
        print(error)
        exit(66)
    }
}
if arguments.first == "w4", arguments.count >= 2, let clients = Int(arguments[1]), clients > 0 {
    let name = arguments.count > 2 ? arguments[2] : "events"
    guard let style = RetryFleet.Style(rawValue: name) else {
        leave("a client is written as 'events' or 'tasks', not '\(name)'")
    }
    try RetryFleet.run(clients: clients, style: style)
    exit(0)
}
guard arguments.count >= 3, let size = Int(arguments[1]), let operations = Int(arguments[2]),
    size > 0, operations > 0
else { leave("a workload has a size and a number of operations, both above zero") }
switch arguments[0] {
case "w1":
    HoldModel.run(pending: size, operations: operations)
case "w2":
    let name = arguments.count > 3 ? arguments[3] : "injected"
    guard let clock = SleepingProcesses.Clock(rawValue: name) else {
        leave("the clock is 'injected' or 'task', not '\(name)'")
    }
    try SleepingProcesses.run(tasks: size, wakeUps: operations, clock: clock)
case "w3":
    BulkTransfers.run(clients: size, chunks: operations)
case "fleet":
    Fleet.run(clients: size, rounds: operations)
default:
    leave("there is no workload '\(arguments[0])'")
}
