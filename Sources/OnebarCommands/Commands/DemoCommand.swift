import Foundation
import Lab
import Measurements
import Profiles
import Quantities
import Reporting

/// `onebar demo`: a bug that every team has shipped, found on a commute, mended in one line.
package enum DemoCommand: Subcommand {
    package static let name = "demo"
    package static let summary = "shows a bug that every team has shipped: caught, then mended"
    package static let operands = ""
    package static let discussion = [
        "Runs seed 1 of the commute twice with an outbox written for the occasion: first with an",
        "idempotency key made at every send, then with one made when the message is written.",
        "Exits 0 when the first was caught and the second kept every guarantee; 70 when not.",
    ]
    package static let options = [
        OptionSpec("--seed", value: "N", help: "another seed; 1 unless said")
    ]

    private static let width = 76

    /// Plays both runs and tells what happened.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        try LabStart.prepare()
        let seed = UInt64(
            try RunOptions.count("--seed", arguments, in: 0...1_000_000) ?? 1
        )
        let scenario = try ScenarioLoading.load("commute").scenario
        let console = context.console
        let paint = DemoPaint(isColored: console.usesColor)
        console.print(paint.strong("A messenger on a commute: street, tunnel, office."))
        console.print("Its outbox stores each message in SQLite and tries until the server has it.")
        console.print("")
        console.print("        request.setValue(UUID().uuidString, \"Idempotency-Key\")")
        console.print("")
        let broken = try play(scenario, seed, keyIsMadeAtSend: true)
        guard let breach = broken.breaches.first(where: { $0.guarantee == .exactlyOnce }) else {
            console.note("onebar: the demonstration's bug was not found with seed \(seed)")
            return .internalError
        }
        console.print("\(paint.bad("FAIL"))  \(breach.guarantee)")
        for line in wrapped(breach.message) { console.print("      \(line)") }
        let also = broken.breaches.filter { $0.guarantee == .exactlyOnce }.count - 1
        if also > 0 { console.print("      and \(also) more, by the same line") }
        console.print("")
        for line in breach.story {
            let time = line.instant.description
            let gap = String(repeating: " ", count: max(1, 16 - time.count))
            let lines = wrapped(line.text, to: width - 22)
            console.print("      \(paint.faint(time))\(gap)\(lines.first ?? "")")
            for rest in lines.dropFirst() {
                console.print(String(repeating: " ", count: 22) + rest)
            }
        }
        console.print("")
        console.print("The server had it, the app could not know, and tried again with a new key:")
        console.print("to the server that is another message. One line mends it; the key is made")
        console.print("once, when the message is written, and stored with it:")
        console.print("")
        console.print(paint.bad("      - request.setValue(UUID().uuidString, \"Idempotency-Key\")"))
        console.print(paint.good("      + request.setValue(message.key, \"Idempotency-Key\")"))
        console.print("")
        let mended = try play(scenario, seed, keyIsMadeAtSend: false)
        if let breach = mended.breaches.first {
            console.print("\(paint.bad("FAIL"))  \(breach.guarantee): \(breach.message)")
            return .internalError
        }
        console.print(
            "\(paint.good("PASS"))  the same commute, the same \(faultText(mended)), each message once"
        )
        console.print("")
        console.print("Next: onebar run commute    the modules that ship, twenty seeds, a report")
        console.print("      onebar init my-lab    a profile, a test and a workflow of your own")
        return .pass
    }

    /// How many faults the mended run lived through.
    private static func faultText(_ result: SeedResult) -> String {
        let fired = result.faults.reduce(0) { $0 + $1.fired }
        return fired == 1 ? "fault" : "\(fired) faults"
    }

    private static func play(
        _ scenario: Scenario,
        _ seed: UInt64,
        keyIsMadeAtSend: Bool
    ) throws -> SeedResult {
        let app = MessengerApp.demonstration(keyIsMadeAtSend: keyIsMadeAtSend)
        return try SeedRunner(scenario: scenario, setup: WorldSetup(app: app))
            .run(seed: seed).result
    }

    private static func wrapped(_ text: String, to columns: Int = width - 6) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > columns, !line.isEmpty {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}

/// Colours of the demonstration, or none.
private struct DemoPaint {
    let isColored: Bool

    func good(_ text: String) -> String { painted(text, "32") }
    func bad(_ text: String) -> String { painted(text, "31") }
    func strong(_ text: String) -> String { painted(text, "1") }
    func faint(_ text: String) -> String { painted(text, "2") }

    private func painted(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
