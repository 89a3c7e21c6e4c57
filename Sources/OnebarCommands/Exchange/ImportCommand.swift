import CaptureAnalysis
import Foundation
import PacketCapture
import Profiles
import Quantities

/// `onebar import`: makes a network file of another tool's.
package enum ImportCommand: Subcommand {
    package static let name = "import"
    package static let summary = "makes a network file of another tool's settings or of a capture"
    package static let operands = "FORMAT FILE [UP-FILE]"
    package static let discussion = [
        "FORMAT is one of:",
        "  mahimahi   a packet-delivery trace, or seconds,Mbps; a second file: the uplink",
        "  devtools   parameters of Network.emulateNetworkConditions, as JSON",
        "  nlc        Network Link Conditioner profiles, as a property list",
        "  toxiproxy  toxics of one proxy, as JSON",
        "  netem      tc commands; what leaves by an ifb device is download",
        "  pcap       a capture: its least round trip and busiest second, as estimates",
        "The network goes to stdout or --out; what is not carried over is told on stderr.",
        "Exits 65 at a file that does not read, 66 at one that is not there, 73 if --out fails.",
    ]
    package static let options = [
        OptionSpec("--out", value: "FILE", help: "writes the network there"),
        OptionSpec("--profile", value: "NAME", help: "which profile of an nlc file"),
        OptionSpec("--rtt", value: "TIME", help: "the round trip, where the file has none"),
        OptionSpec("--device-address", value: "IP", help: "the phone's address in a capture"),
        OptionSpec("--quiet", help: "does not tell what is not carried over"),
    ]

    /// Prints a network, checked by the reader of networks.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        let words = arguments.operands
        guard words.count >= 2 else {
            throw CommandFailure.usage(
                "'onebar import' needs a format and a file",
                remedy: "write onebar import netem script.sh"
            )
        }
        let format = try ExchangeFiles.format(words[0], among: ExchangeFormat.allCases, "import")
        guard words.count == 2 || (words.count == 3 && format == .mahimahi) else {
            throw CommandFailure.usage(
                "'onebar import \(format.rawValue)' takes one file, not \(words.count - 1)",
                remedy: "import one file after another"
            )
        }
        var network = try read(format, Array(words.dropFirst()), arguments, context)
        if let text = arguments.value("--rtt") {
            let rtt: Duration
            do throws(QuantityError) {
                rtt = try Duration(text: text)
            } catch {
                throw CommandFailure.usage("--rtt '\(text)' \(error.problem)", remedy: error.remedy)
            }
            network.oneWay = (rtt - rtt / 2, rtt / 2)
        }
        let out = arguments.value("--out")
        try check(network, out: out, context)
        if !arguments.has("--quiet") {
            for note in network.notes { context.console.note("note: \(note)") }
        }
        try ExchangeFiles.write(network.fileText, to: out, context)
        return .pass
    }

    private static func read(
        _ format: ExchangeFormat,
        _ files: [String],
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ImportedNetwork {
        let file = files[0]
        let title = "Imported from \(format.rawValue): \((file as NSString).lastPathComponent)."
        do throws(ExchangeError) {
            switch format {
            case .mahimahi:
                return try traces(files, title: title, arguments, context)
            case .devtools:
                return try DevToolsFormat.read(
                    try ExchangeFiles.text(file, context),
                    title: title
                )
            case .toxiproxy:
                return try ToxiproxyFormat.read(
                    try ExchangeFiles.text(file, context),
                    title: title
                )
            case .netem:
                return try NetemReader.read(try ExchangeFiles.text(file, context), title: title)
            case .nlc:
                return try LinkConditionerFormat.read(
                    try ExchangeFiles.data(file, context),
                    profile: arguments.value("--profile"),
                    title: title
                )
            case .pcap:
                return try CaptureEstimate.network(file, title: title, arguments, context)
            }
        } catch {
            if let failure = error.missing { throw failure(file) }
            throw CommandFailure([error.problem(in: file).description], code: .badInput)
        }
    }

    /// A network that names trace files, which are read to see that they are good.
    private static func traces(
        _ files: [String],
        title: String,
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws(ExchangeError) -> ImportedNetwork {
        var network = ImportedNetwork(
            title: title,
            source: "recorded traces; an opportunity carries 1,500 bytes (mahimahi's code: 1,504)"
        )
        for (index, file) in files.enumerated() {
            let bytes = [UInt8](try ExchangeFiles.data(file, context))
            do throws(ProfileError) {
                let schedule = try TraceReader.schedule(bytes: bytes, path: file)
                var direction = ImportedNetwork.Direction()
                direction.rate = schedule
                direction.trace = ExchangeFiles.reference(
                    to: file,
                    from: arguments.value("--out"),
                    context
                )
                if index == 0 { network.down = direction } else { network.up = direction }
            } catch {
                let first = error.problems[0]
                throw ExchangeError(
                    line: first.location.line,
                    (index > 0 ? "\(file): " : "") + first.what,
                    remedy: first.remedy
                )
            }
        }
        if files.count == 1 { network.notes.append("no file for the uplink: it has no limit") }
        network.notes.append("queue: mm-link's is infinite unless told; here 100 packets wait")
        if !arguments.has("--rtt") {
            network.notes.append("the round trip is 0: a trace has none; say it with --rtt")
        }
        return network
    }

    private static func check(
        _ network: ImportedNetwork,
        out: String?,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let library = ProfileLibrary.standard(
            environment: context.environment,
            workingDirectory: context.workingDirectory
        )
        do {
            _ = try NetworkFile.check(
                text: network.fileText,
                path: out ?? "network.jsonc",
                in: library
            )
        } catch {
            throw CommandFailure(error.problems.map(\.description), code: .badInput)
        }
    }
}
