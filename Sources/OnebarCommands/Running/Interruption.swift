import Foundation
import Profiles
import Synchronization

/// Control-C: says what is finished and how to go on, ends the workers, and exits with 130.
///
/// A worker does not listen to it: whoever started the worker ends it, so that no seed looks like a
/// crash of the client. What has to appear whole is written within `whole`, which the exit waits for; a
/// second control-C waits for nothing.
package enum Interruption {
    /// What is going on, for the message.
    struct Work: Sendable {
        /// Of what, such as "commute".
        var label: String
        /// What is counted, such as "seeds".
        var unit: String
        var done = 0
        /// How many there are; nil for a search without end.
        var total: Int?
        /// Where finished ones are kept; nil where they are lost.
        var keptIn: String?
        /// What `--from` has to be to go on where it stopped; nil where that means nothing.
        var next: Int?
    }

    private struct Worker {
        let process: Int32
        let log: URL
    }

    private struct State {
        var work: Work?
        var workers: [Worker] = []
        var isOver = false
    }

    private static let state = Mutex(State())
    /// Held while something is written that must not be half there.
    private static let writing = NSRecursiveLock()
    private nonisolated(unsafe) static var source: (any DispatchSourceSignal)?

    // MARK: listening

    /// Listens from now on, in a process that was started with these words; call it once, in `main`.
    package static func listen(words: [String], console: Console) {
        signal(SIGINT, SIG_IGN)
        guard words.first != WorkerCommand.name, words.first != HuntWorkerCommand.name else {
            return
        }
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        let listener = Listener(words: words, console: console)
        source.setEventHandler { listener.end() }
        source.activate()
        Self.source = source
    }

    private struct Listener: @unchecked Sendable {
        // Used once, by the source's queue.
        let words: [String]
        let console: Console

        func end() {
            signal(SIGINT, SIG_DFL)
            writing.lock()
            let (work, workers) = state.withLock { state in
                state.isOver = true
                return (state.work, state.workers)
            }
            for worker in workers {
                kill(worker.process, SIGKILL)
                try? FileManager.default.removeItem(at: worker.log)
            }
            if console.drawsProgress { console.draw("\r\u{1B}[2K") }
            for line in Interruption.lines(work, words) { console.note(line) }
            _exit(ExitCode.interrupted.status)
        }
    }

    /// What is said: what is finished, that nothing is half there, and how to go on.
    static func lines(_ work: Work?, _ words: [String]) -> [String] {
        var lines = ["", "onebar: interrupted"]
        if let work {
            let of = work.total.map { " of \($0)" } ?? ""
            let lost = work.next == nil ? ", and nothing of them is kept" : ""
            let kept = work.done == 0 ? "" : work.keptIn.map { ", kept in \($0)" } ?? lost
            lines.append("  \(work.label): \(work.done)\(of) \(work.unit) are finished\(kept)")
        }
        lines.append("  nothing is half-written: every file is as it was, or whole")
        let words = work?.next.map { goingOn(words, from: $0) } ?? words
        let line = (["onebar"] + words.map(ShellText.word)).joined(separator: " ")
        let isKept = work.map { ($0.keptIn != nil || $0.next != nil) && $0.done > 0 } ?? false
        lines.append(isKept ? "  go on where it stopped: \(line)" : "  begin again: \(line)")
        return lines
    }

    /// The words with another first plan.
    private static func goingOn(_ words: [String], from next: Int) -> [String] {
        var words = words
        if let index = words.firstIndex(of: "--from"), index + 1 < words.count {
            words[index + 1] = "\(next)"
        } else {
            words.removeAll { $0.hasPrefix("--from=") }
            words += ["--from", "\(next)"]
        }
        return words
    }

    // MARK: what goes on

    /// Says what begins now; the last one counts.
    static func begin(_ work: Work) {
        state.withLock { $0.work = work }
    }

    /// So many are finished; a search goes on with `next`.
    static func advance(to done: Int, next: Int? = nil) {
        state.withLock { state in
            state.work?.done = done
            state.work?.next = next
        }
    }

    /// One more is finished.
    static func advance() {
        state.withLock { $0.work?.done += 1 }
    }

    /// Does what must not be cut in half; an interruption waits for its end.
    static func whole<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        writing.lock()
        defer { writing.unlock() }
        return try body()
    }

    /// A worker was started, and writes its last words to `log`.
    static func started(_ process: Int32, log: URL) {
        state.withLock { $0.workers.append(Worker(process: process, log: log)) }
    }

    /// A worker has ended by itself.
    static func ended(_ process: Int32) {
        state.withLock { $0.workers.removeAll { $0.process == process } }
    }
}
