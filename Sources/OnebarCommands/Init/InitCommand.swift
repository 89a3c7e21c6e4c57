import Foundation
import Profiles

/// `onebar init`: a profile, a test and a workflow to begin with.
package enum InitCommand: Subcommand {
    package static let name = "init"
    package static let summary = "writes a profile, a test and a CI workflow to begin with"
    package static let operands = "[DIR]"
    package static let discussion = [
        "Writes into DIR, the working directory unless said:",
        "  profiles/mine.jsonc                     conditions, workload and budgets",
        "  Tests/OnebarTests/OnebarLabTests.swift  a test, with a module to replace",
        "  .github/workflows/onebar.yml            the gate on every pull request; or,",
        "                                          with --ci, another server's pipeline",
        "A file that is there already is never touched: then nothing is written at all (73).",
    ]
    package static let options = [
        OptionSpec(
            "--ci",
            value: "github|gitlab|jenkins",
            help: "the CI server; github unless said"
        )
    ]

    /// Writes all files or none.
    package static func run(
        _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        guard arguments.operands.count <= 1 else {
            throw CommandFailure.usage(
                "'onebar init' writes into one folder",
                remedy: "write onebar init my-app"
            )
        }
        let server = arguments.value("--ci") ?? "github"
        guard let pipeline = InitPipelines.file(for: server) else {
            throw CommandFailure.usage(
                "there is no pipeline for '\(server)'",
                remedy: "there are: \(InitPipelines.names.joined(separator: ", "))"
            )
        }
        let files = InitFiles.all + [pipeline]
        let shown = arguments.operands.first ?? "."
        let folder = URL(fileURLWithPath: shown)
        let there = files.map(\.path).filter {
            FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
        }
        guard there.isEmpty else {
            throw CommandFailure(
                there.map { "onebar: error: \(shown)/\($0) is there already" }
                    + ["  nothing was written; move it away or name another folder"],
                code: .cannotWrite
            )
        }
        var written: [URL] = []
        do {
            for file in files {
                let url = folder.appendingPathComponent(file.path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(file.text.utf8).write(to: url, options: .atomic)
                written.append(url)
            }
        } catch {
            for url in written { try? FileManager.default.removeItem(at: url) }
            throw CommandFailure(
                [
                    "onebar: error: cannot write into '\(shown)'",
                    "  make the folder writable or name another",
                ],
                code: .cannotWrite
            )
        }
        for file in files { context.console.print("wrote \(shown)/\(file.path)") }
        context.console.note(next)
        return .pass
    }

    private static let next = """

        next, in that folder:
          onebar run mine                the profile on the modules that ship
          onebar gate mine --update      its baseline, to be committed
        and in Package.swift, for your own module:
          .package(path: "../onebar")    among the dependencies: where Onebar lies
          .testTarget(name: "OnebarTests", dependencies: [
              .product(name: "Onebar", package: "onebar"), "YourModule"])
        """
}
