import Foundation
import Quantities
import SimulationKernel
import Testing

/// What one run of ordinary code saw.
private final class Diary: @unchecked Sendable {
    var lines: [String] = []
}

private actor Account {
    private var balance = 0

    func add(_ amount: Int) async -> Int {
        balance += amount
        try? await Task.sleep(for: .milliseconds(10))
        return balance
    }
}

@Suite struct UnmodifiedCodeTests {
    init() throws {
        try HashingCheck.require()
        try ExecutorCapture.install()
    }

    /// Ordinary code: nothing in it knows of a simulation.
    private static func ordinary(_ diary: Diary) async {
        let started = Date()
        let clock = ContinuousClock.now
        try? await Task.sleep(for: .seconds(5))
        diary.lines.append("\(Date().timeIntervalSince(started)) \(ContinuousClock.now - clock)")
        let account = Account()
        await withTaskGroup(of: Int.self) { group in
            for index in 1...3 { group.addTask { await account.add(index) } }
            for await balance in group { diary.lines.append("balance \(balance)") }
        }
        await Task.detached { try? await Task.sleep(for: .milliseconds(1)) }.value
        await Task { diary.lines.append(UUID().uuidString) }.value
        var system = SystemRandomNumberGenerator()
        diary.lines.append("\(system.next()) \(Set(["a", "b", "c", "d", "e"]).joined())")
        diary.lines.append("\(Int64(Date().timeIntervalSince1970 * 1_000))")
    }

    private func run(seed: UInt64) -> (lines: [String], fingerprint: Fingerprint) {
        let simulation = Simulation(seed: seed)
        let diary = Diary()
        simulation.makeProcess(named: "app").launch().start { await Self.ordinary(diary) }
        let outcome = simulation.runUntilQuiescent()
        #expect(outcome == .quiescent)
        return (diary.lines, simulation.fingerprint)
    }

    @Test func `two runs of one seed see the same, to the last bit`() {
        let first = run(seed: 7)
        let second = run(seed: 7)
        #expect(first.lines == second.lines)
        #expect(first.fingerprint == second.fingerprint)
        // 5 s are 5 s, exactly: Date counts in doubles of seconds, the clock in attoseconds.
        #expect(first.lines.first == "5.0 5.0 seconds")
        // Three additions of 1, 2 and 3 enter before any of them sleeps: each returns the sum.
        #expect(first.lines[1...3] == ["balance 6", "balance 6", "balance 6"])
        // 2026-01-01T08:00:00Z is 1,767,254,400; 5 s + 10 ms + 1 ms later.
        #expect(first.lines.last == "1767254405011")
    }

    @Test func `another seed draws another UUID`() {
        #expect(run(seed: 7).lines[4] != run(seed: 8).lines[4])
    }

    @Test func `time outside a world is real`() {
        let before = Date().timeIntervalSince1970
        _ = run(seed: 1)
        let after = Date().timeIntervalSince1970
        #expect(after >= before && after - before < 100)
        #expect(UUID() != UUID())
    }

    /// A program of its own beside the test bundle, which captures the main actor too; run twice, so that
    /// two processes are compared.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: program),
            "Benchmarks is not built"
        )
    )
    func `in a program of its own the main actor is simulated, and two processes agree`() throws {
        let first = try Self.output()
        let second = try Self.output()
        #expect(first.hasSuffix("repeatable\n"))
        #expect(first == second)
    }

    /// The bundle lies beside the programs of the package.
    private static var program: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "Benchmarks").path()
    }

    private static func output() throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["virtual-time"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
