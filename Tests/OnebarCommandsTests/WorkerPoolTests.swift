import Foundation
import Measurements
import OnebarCommands
import Quantities
import Testing

/// Workers are processes: what dies in one is an answer, not the end of the lab.
@Suite struct WorkerPoolTests {
    static func pool(_ script: String) -> WorkerPool {
        WorkerPool(executable: "/bin/sh", arguments: ["-c", script], environment: [:])
    }

    @Test func `answers come in the order of the requests`() throws {
        let pool = Self.pool("while read line; do echo \"did $line\"; done")
        let answers = try pool.run(["a", "b", "c", "d"], jobs: 2) { _, _ in }
        #expect(answers == ["a", "b", "c", "d"].map { .line("did \($0)") })
    }

    @Test func `a worker that traps is told with its signal, and the others go on`() throws {
        let pool = Self.pool(
            "while read line; do if [ $line = b ]; then echo 'x: Fatal error: Index out of range' >&2; "
                + "kill -ILL $$; fi; echo \"did $line\"; done"
        )
        let answers = try pool.run(["a", "b", "c"], jobs: 1) { _, _ in }
        #expect(answers[0] == .line("did a"))
        #expect(answers[2] == .line("did c"))
        guard case .died(let cause, let lastWords) = answers[1] else {
            Issue.record("the worker is said to have lived: \(answers[1])")
            return
        }
        #expect(cause.contains("signal 4"))
        #expect(lastWords.contains("Index out of range"))
    }

    @Test func `a trap of client code is a broken guarantee with its seed`() {
        let result = SeedSweep.crash(
            7,
            cause: "signal 4 (a Swift trap)",
            lastWords: """
                x: Fatal error: Index out of range
                onebar: trap at 5000000000 ns, seed 7 of short
                """
        )
        #expect(result.seed == 7)
        #expect(result.breaches.first?.instant.nanoseconds == 5_000_000_000)
        #expect(result.virtualEnd.nanoseconds == 5_000_000_000)
        #expect(result.breaches.map(\.guarantee) == [.noCrash])
        #expect(result.breaches.first?.message.contains("Index out of range") == true)
    }
}
