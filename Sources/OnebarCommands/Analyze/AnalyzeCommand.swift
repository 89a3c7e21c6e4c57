import CaptureAnalysis
import Foundation
import PacketCapture
import PhoneModel
import Profiles
import Reporting

/// `onebar analyze`: what a real capture costs on a given radio, and why.
package enum AnalyzeCommand: Subcommand {
    package static let name = "analyze"
    package static let summary = "tells what a capture would cost on a radio"
    package static let operands = "CAPTURE"
    package static let discussion = [
        "Reads pcap, pcapng, HAR (Charles, Chrome, Chucker, PCAPdroid) or a packet list",
        "(t,dir,len,payload,tcpinfo); '-' reads from a pipe. Prints energy by state, host and",
        "request path, bursts, periodic transfers, findings and advice.",
        "Modes: exact (closed forms, every joule once); aro-4.1.1, vo-4.6 and energybox reproduce",
        "those tools, defects included.",
    ]
    package static let options = [
        OptionSpec("--radio", value: "NAME|FILE", help: "the radio; lte by default"),
        OptionSpec(
            "--mode",
            value: AnalysisMode.allCases.map(\.rawValue).joined(separator: "|"),
            help: "whose figures; exact by default"
        ),
        OptionSpec("--device-address", value: "IP", help: "the phone's address; may be repeated"),
        OptionSpec("--app", value: "NAME", help: "only this app, where the capture names apps"),
        OptionSpec(
            "--budget",
            value: "FILE",
            help: "budgets to judge it by; exits 1 if one breaks"
        ),
        OptionSpec("--out", value: "DIR", help: "writes report.html, CSV files and run.json there"),
        OptionSpec("--states", help: "prints the state list as CSV instead of the report"),
        OptionSpec("--bursts", help: "prints the bursts as CSV instead of the report"),
        OptionSpec("--json", help: "prints one JSON object instead of the report"),
        OptionSpec("--quiet", help: "no progress on stderr"),
    ]

    /// Prints the report to stdout, progress and notes to stderr.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard let operand = arguments.operands.first, arguments.operands.count == 1 else {
            throw CommandFailure.usage(
                "'onebar analyze' needs one capture",
                remedy: "write a file: onebar analyze capture.pcap"
            )
        }
        let library = ProfileLibrary.standard(
            environment: context.environment,
            workingDirectory: context.workingDirectory
        )
        let radio = try radio(arguments.value("--radio") ?? "lte", library)
        var options = try captureOptions(arguments)
        let bar = AnalyzeProgress(context.console, isQuiet: arguments.has("--quiet"))
        options.progress = { bar.show($0) }
        let budgets = try arguments.value("--budget").map {
            try AnalyzeBudgets.read(path($0, context), shown: $0)
        }
        let analyzer = CaptureAnalyzer(radio: radio) { name in
            arguments.has("--radio") ? nil : try? RadioFile.model(name, in: library)
        }
        do throws(CaptureError) {
            let input = try CaptureInput.read(path: path(operand, context), options: options)
            bar.finish()
            if arguments.has("--states") {
                let analysis = StateAnalysis(radio, mode: options.mode)
                context.console.print(AnalyzeCSV.states(analysis.ranges(input.traffic)))
                return .pass
            }
            if arguments.has("--bursts"), [.aro411, .vo46].contains(options.mode) {
                let analysis = StateAnalysis(radio, mode: options.mode)
                let bursts = analysis.toolBursts(input.traffic)
                context.console.print(AnalyzeCSV.toolBursts(bursts))
                return .pass
            }
            let report = try analyzer.analyze(input, path: operand, options: options)
            return try judge(report, budgets, arguments, context)
        } catch {
            bar.finish()
            throw failure(error, shown: operand, context)
        }
    }

    private static func judge(
        _ report: CaptureReport,
        _ budgets: AnalyzeBudgets?,
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws(CaptureError) -> ExitCode {
        let verdicts = budgets?.judge(report) ?? []
        if let folder = arguments.value("--out") {
            try AnalyzeFolder.write(report, verdicts, to: path(folder, context), shown: folder)
        }
        let console = context.console
        for note in report.notes { console.note("note: \(note)") }
        if arguments.has("--bursts") {
            console.print(AnalyzeCSV.bursts(report))
        } else if arguments.has("--json") {
            console.print(AnalyzeJSON.object(report, verdicts).text)
        } else {
            for line in AnalyzeText.lines(report, verdicts) { console.print(folding: line) }
        }
        if let folder = arguments.value("--out"), !arguments.has("--quiet") {
            console.note("report: \(folder)/report.html")
        }
        if verdicts.contains(where: { $0.isUntested }) { return .nothingTested }
        return verdicts.contains { $0.isBroken } ? .budgetBroken : .pass
    }

    private static func radio(
        _ name: String,
        _ library: ProfileLibrary
    ) throws(CommandFailure) -> RadioModel {
        do throws(ProfileError) {
            return try RadioFile.model(name, in: library)
        } catch {
            throw CommandFailure(
                error.problems.map(\.description),
                code: error.kind == .missing ? .missingInput : .badInput
            )
        }
    }

    private static func captureOptions(
        _ arguments: ParsedArguments
    ) throws(CommandFailure) -> CaptureOptions {
        var options = CaptureOptions()
        options.app = arguments.value("--app")
        if let text = arguments.value("--mode") {
            guard let mode = AnalysisMode(rawValue: text) else {
                let names = AnalysisMode.allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("there is no mode '\(text)'", remedy: "modes: \(names)")
            }
            options.mode = mode
        }
        for text in arguments.all("--device-address") {
            guard let address = IPAddress(text: text) else {
                throw .usage(
                    "'\(text)' is no IP address",
                    remedy: "write --device-address 192.0.2.1 or 2001:db8::1"
                )
            }
            options.deviceAddresses.append(address)
        }
        return options
    }

    private static func path(_ text: String, _ context: CommandContext) -> String {
        text.hasPrefix("/") || text == "-" ? text : "\(context.workingDirectory)/\(text)"
    }

    private static func failure(
        _ error: CaptureError,
        shown: String,
        _ context: CommandContext
    ) -> CommandFailure {
        let full = path(shown, context)
        let place =
            error.path.hasPrefix(full) ? shown + error.path.dropFirst(full.count) : error.path
        let code: ExitCode =
            switch error.kind {
            case .missing: .missingInput
            case .invalid: .badInput
            case .unwritable: .cannotWrite
            }
        return CommandFailure(
            "\(place): error: \(error.problem) (\(error.remedy))",
            code: code
        )
    }
}

/// How far reading has come: a bar on a terminal, nothing else.
private final class AnalyzeProgress: @unchecked Sendable {
    // Called by the one thread that reads.
    private let console: Console
    private let isShown: Bool
    private var last = -1

    init(_ console: Console, isQuiet: Bool) {
        self.console = console
        isShown = console.drawsProgress && !isQuiet
    }

    func show(_ share: Double) {
        let percent = Int(min(max(share, 0), 1) * 100)
        guard isShown, percent != last else { return }
        last = percent
        let filled = percent * 24 / 100
        let bar =
            String(repeating: "=", count: filled) + String(repeating: " ", count: 24 - filled)
        console.draw("\r\u{1B}[2Kreading [\(bar)] \(percent) %")
    }

    func finish() {
        guard isShown, last >= 0 else { return }
        console.draw("\r\u{1B}[2K")
        last = -1
    }
}
