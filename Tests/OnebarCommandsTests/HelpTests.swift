import Foundation
import Testing

@testable import OnebarCommands

/// `init`, `completions` and `man`: what a new user meets first.
@Suite struct HelpTests {
    @Test func `init writes a profile that is clean, and touches nothing that is there`() throws {
        try ToolTests.withFolder { folder in
            let made = try ToolTests.onebar(["init", "lab"], in: folder)
            #expect(made.status == 0, "\(made.error)")
            let check = try ToolTests.onebar(
                ["check", "--strict", "lab/profiles/mine.jsonc"],
                in: folder
            )
            #expect(check.status == 0, "\(check.out)")
            let run = try ToolTests.onebar(
                ["run", "lab/profiles/mine.jsonc", "--seeds", "1..3", "--out", "r"],
                in: folder
            )
            #expect(run.status == 0, "\(run.out)\(run.error)")
            let again = try ToolTests.onebar(["init", "lab"], in: folder)
            #expect(again.status == 73)
            #expect(again.error.contains("lab/profiles/mine.jsonc is there already"))
        }
    }

    @Test func `the test that init writes is the one that is run here`() throws {
        let ours = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("OnebarTests/OnebarLabTests.swift")
        try ToolTests.withFolder { folder in
            #expect(try ToolTests.onebar(["init"], in: folder).status == 0)
            let written = folder.appendingPathComponent("Tests/OnebarTests/OnebarLabTests.swift")
            let text = try String(contentsOf: written, encoding: .utf8)
            let expected = try String(contentsOf: ours, encoding: .utf8)
            #expect(text == expected)
        }
    }

    @Test(arguments: [
        ("github", ".github/workflows/onebar.yml"), ("gitlab", ".gitlab/onebar.yml"),
        ("jenkins", "Jenkinsfile.onebar"),
    ])
    func `a pipeline gates, and keeps what the gate wrote`(server: String, path: String) throws {
        try ToolTests.withFolder { folder in
            let made = try ToolTests.onebar(["init", "--ci", server], in: folder)
            #expect(made.status == 0, "\(made.error)")
            let text = try String(
                contentsOf: folder.appendingPathComponent(path),
                encoding: .utf8
            )
            #expect(text.contains("onebar gate mine"))
            #expect(text.contains("reports/mine"))
            #expect(try ToolTests.onebar(["init", "x", "--ci", "bamboo"], in: folder).status == 64)
        }
    }

    @Test func `help fits a terminal of eighty columns, and its words stand in columns`() throws {
        for command in FrontDoor.subcommands {
            for line in command.help.split(separator: "\n") {
                #expect(line.count <= 80, "\(command.name): \(line)")
            }
        }
        let rows = FrontDoor.overview.split(separator: "\n").filter { line in
            FrontDoor.shown.contains {
                line.hasPrefix("  \($0.name) ") && line.contains($0.summary)
            }
        }
        #expect(rows.count == FrontDoor.shown.count)
        // "completions" has 11 letters: two blanks before it, two after.
        for row in rows { #expect(row.dropFirst(13).prefix(2) == "  ", "\(row)") }
    }

    @Test func `a line too long for the terminal goes on below its text`() {
        var printed = ""
        let console = Console(
            drawsProgress: false,
            usesColor: false,
            columns: 40,
            out: { printed += $0 },
            error: { _ in }
        )
        console.print(folding: "  fail  a rule: " + "word " + "another word and the last one")
        console.print(folding: "  a sentence that has no label and is longer")
        console.print(folding: "  state           kind  times")
        #expect(
            printed == """
                  fail  a rule: word another word and
                        the last one
                  a sentence that has no label and is
                  longer
                  state           kind  times

                """
        )
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions name every subcommand and option`(shell: String) throws {
        try ToolTests.withFolder { folder in
            let script = try ToolTests.onebar(["completions", shell], in: folder)
            #expect(script.status == 0)
            let dashes = shell == "fish" ? "-l " : "--"
            for word in ["gate", "demo", "history", "\(dashes)explore", "\(dashes)seeds"] {
                #expect(script.out.contains(word), "\(word)")
            }
            for word in ["worker)", "-a worker", "'worker:"] {
                #expect(!script.out.contains(word), "an internal command: \(word)")
            }
        }
    }

    @Test func `bash takes the completions, and they complete`() throws {
        try ToolTests.withFolder { folder in
            let script = try ToolTests.onebar(["completions", "bash"], in: folder)
            let text =
                script.out
                + "\nCOMP_WORDS=(onebar ga); COMP_CWORD=1; _onebar; echo \"${COMPREPLY[@]}\""
                + "\nCOMP_WORDS=(onebar gate --ex); COMP_CWORD=2; _onebar; echo \"${COMPREPLY[@]}\""
            let file = folder.appendingPathComponent("try.sh")
            try Data(text.utf8).write(to: file)
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments = [file.path]
            process.standardOutput = pipe
            try process.run()
            let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(String(decoding: data, as: UTF8.self) == "gate\n--explore\n")
        }
    }

    @Test func `the manual page names every subcommand and no line is taken for a macro`() throws {
        try ToolTests.withFolder { folder in
            let page = try ToolTests.onebar(["man"], in: folder)
            #expect(page.status == 0)
            #expect(page.out.hasPrefix(".TH ONEBAR 1"))
            for word in ["gate", "diff", "history", "init"] {
                #expect(page.out.contains(".SS \"onebar \(word)"), "\(word)")
            }
            let macros = ["TH", "SH", "SS", "B", "I", "PP", "TP", "nf", "fi"]
            for line in page.out.split(separator: "\n") where line.hasPrefix(".") {
                let macro = line.dropFirst().prefix { $0 != " " }
                #expect(macros.contains(String(macro)), "\(line)")
            }
        }
    }
}
