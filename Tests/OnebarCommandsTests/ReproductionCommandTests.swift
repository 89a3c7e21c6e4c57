import Foundation
import OnebarCommands
import Testing

/// `onebar run --verify` where the two runs of a seed differ: the sentence and the exit code.
@Suite struct ReproductionCommandTests {
    /// Runs two messages twice; `change` is put on the second process's profile.
    private func verify(change: String) throws -> (code: ExitCode, said: String) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("onebar-verify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Stands for an executable whose code does something else from the second process on.
        let script = """
            #!/bin/sh
            if mkdir "\(folder.path)/first" 2> /dev/null; then exec "\(ToolTests.tool.path)" "$@"; fi
            exec "\(ToolTests.tool.path)" "$@" \(change)
            """
        let executable = folder.appendingPathComponent("fickle").path
        try script.write(toFile: executable, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: executable
        )
        var said = ""
        let console = Console(
            drawsProgress: false,
            usesColor: false,
            out: { said += $0 },
            error: { said += $0 }
        )
        let context = CommandContext(
            console: console,
            environment: ["PATH": "/usr/bin:/bin"],
            executable: executable,
            workingDirectory: folder.path
        )
        let words = ["run", "two-messages", "--seeds", "1", "--jobs", "1", "--verify", "--out"]
        let out = folder.appendingPathComponent("r").path
        return (FrontDoor.run(words + [out], context), said)
    }

    @Test func `a seed that gives two runs ends with 4 and says where they part`() throws {
        let result = try verify(change: "--set network.rtt=200ms")
        #expect(result.code.status == 4, "\(result.said)")
        #expect(
            result.said.contains("seed 1 gave two different runs; they part between kernel events"),
            "\(result.said)"
        )
    }

    @Test func `the same without a difference ends with 0`() throws {
        let result = try verify(change: "")
        #expect(result.code.status == 0, "\(result.said)")
    }
}
