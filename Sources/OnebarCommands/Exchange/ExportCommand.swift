import NetworkModel
import Profiles

/// `onebar export`: sets a network's conditions in another tool.
package enum ExportCommand: Subcommand {
    package static let name = "export"
    package static let summary = "writes a network as another tool's commands or file"
    package static let operands = "FORMAT NETWORK"
    package static let discussion = [
        "FORMAT is one of:",
        "  netem      tc commands for Linux: upload on a device, download on ifb0",
        "  toxiproxy  toxics, as JSON",
        "  devtools   parameters of Network.emulateNetworkConditions, as JSON",
        "  mahimahi   a packet-delivery trace of one direction; stderr tells the command",
        "NETWORK is the name of a network, a file of one, or a profile that has one.",
        "What the tool cannot carry is told on stderr, a line each.",
        "Exits 65 at a network that does not read, 66 at one that is not there, 73 if --out fails.",
    ]
    package static let options = [
        OptionSpec("--out", value: "FILE", help: "writes it there instead of stdout"),
        OptionSpec("--phase", value: "NAME", help: "which phase; the first by default"),
        OptionSpec("--direction", value: "down|up", help: "of a mahimahi trace; down by default"),
        OptionSpec("--quiet", help: "does not tell what is not carried"),
    ]

    /// Prints the commands or the file.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard arguments.operands.count == 2 else {
            throw CommandFailure.usage(
                "'onebar export' needs a format and a network",
                remedy: "write onebar export netem wpt-3g"
            )
        }
        let format = try ExchangeFiles.format(
            arguments.operands[0],
            among: ExchangeFormat.exported,
            "export"
        )
        let direction = arguments.value("--direction") ?? "down"
        guard ["down", "up"].contains(direction) else {
            throw CommandFailure.usage(
                "--direction '\(direction)' is neither down nor up",
                remedy: "write one of them"
            )
        }
        let network = try network(arguments.operands[1], context)
        guard let phase = network.phase(named: arguments.value("--phase")) else {
            let names = network.conditions.phases.map(\.name).joined(separator: ", ")
            throw CommandFailure.usage(
                "the network has no phase '\(arguments.value("--phase") ?? "")'",
                remedy: "one of: \(names)"
            )
        }
        let exported: ExportedNetwork
        switch format {
        case .netem: exported = NetemWriter.export(network, phase)
        case .toxiproxy: exported = ToxiproxyFormat.export(network, phase)
        case .devtools: exported = DevToolsFormat.export(network, phase)
        case .mahimahi:
            do throws(ExchangeError) {
                exported = try MahimahiWriter.export(network, phase, isDown: direction == "down")
            } catch {
                let place = arguments.operands[1]
                throw CommandFailure(["\(place): \(error)"], code: .badInput)
            }
        case .nlc, .pcap: preconditionFailure("\(format.rawValue) is not exported")
        }
        if !arguments.has("--quiet") {
            for note in exported.notes { context.console.note("note: \(note)") }
        }
        try ExchangeFiles.write(exported.text, to: arguments.value("--out"), context)
        return .pass
    }

    private static func network(
        _ nameOrPath: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> NetworkConfiguration {
        let library = ProfileLibrary.standard(
            environment: context.environment,
            workingDirectory: context.workingDirectory
        )
        do {
            return try NetworkFile.read(nameOrPath, in: library)
        } catch {
            throw CommandFailure(
                error.problems.map(\.description),
                code: error.kind == .missing ? .missingInput : .badInput
            )
        }
    }
}
