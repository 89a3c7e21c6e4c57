import Foundation
import Synchronization

/// Runs requests in worker processes, one world at a time in each.
///
/// Statics, SQLite's global random numbers, main-actor singletons and the leaks that a kill leaves
/// behind stay inside a worker; client code that traps ends its worker and not the lab. A worker
/// gets one request a line on its stdin and answers each with one line on its stdout.
package final class WorkerPool: Sendable {
    /// How one request ended.
    package enum Answer: Equatable, Sendable {
        /// The line that the worker answered.
        case line(String)
        /// The worker died: by which signal or status, and the end of what it wrote to stderr.
        case died(cause: String, lastWords: String)
    }

    private let executable: String
    private let arguments: [String]
    private let environment: [String: String]
    private let next = Mutex<Int>(0)

    /// Makes a pool whose workers execute `executable` with `arguments`.
    package init(executable: String, arguments: [String], environment: [String: String]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }

    /// Answers every request, `jobs` at a time; answers are in the order of the requests.
    ///
    /// `answered` is told the index of each request as it is answered, and how, from any thread, one
    /// at a time. Throws when no worker can be started.
    package func run(
        _ requests: [String],
        jobs: Int,
        answered: @escaping @Sendable (Int, Answer) -> Void
    ) throws -> [Answer] {
        let answers = Mutex([Answer?](repeating: nil, count: requests.count))
        let failure = Mutex<String?>(nil)
        let group = DispatchGroup()
        for _ in 0..<max(1, min(jobs, requests.count)) {
            let thread = Thread { [self] in
                defer { group.leave() }
                do {
                    try serve(requests) { index, answer in
                        answers.withLock {
                            $0[index] = answer
                            answered(index, answer)
                        }
                    }
                } catch {
                    failure.withLock { $0 = "\(error)" }
                }
            }
            group.enter()
            thread.start()
        }
        group.wait()
        if let problem = failure.withLock({ $0 }) {
            throw CommandFailure(
                "onebar: cannot start worker '\(executable)': \(problem)",
                code: .internalError
            )
        }
        return answers.withLock {
            $0.map { $0 ?? .died(cause: "was never started", lastWords: "") }
        }
    }

    private func serve(_ requests: [String], _ answered: (Int, Answer) -> Void) throws {
        var worker: WorkerProcess?
        defer { worker?.end() }
        while let index = claim(below: requests.count) {
            if worker == nil {
                worker = try WorkerProcess(
                    executable: executable,
                    arguments: arguments,
                    environment: environment
                )
            }
            guard let current = worker else { return }
            if let line = current.ask(requests[index]) {
                answered(index, .line(line))
                if current.wantsToRetire {
                    current.end()
                    worker = nil
                }
            } else {
                answered(index, current.epitaph())
                worker = nil
            }
        }
    }

    private func claim(below count: Int) -> Int? {
        next.withLock { index in
            guard index < count else { return nil }
            defer { index += 1 }
            return index
        }
    }
}
