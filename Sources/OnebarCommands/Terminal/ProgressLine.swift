import Foundation

/// Shows how far long work is: a bar on a terminal, a plain line now and then in CI, nothing with --quiet.
package final class ProgressLine: @unchecked Sendable {
    // Whoever advances it does so one at a time: the pool answers under a lock.
    private let console: Console
    private let label: String
    private let total: Int
    private let isQuiet: Bool
    private var done = 0
    private var lastTenth = 0
    private let started = ContinuousClock.now

    /// Begins at zero of `total`.
    package init(console: Console, label: String, total: Int, isQuiet: Bool) {
        self.console = console
        self.label = label
        self.total = max(1, total)
        self.isQuiet = isQuiet
        draw()
    }

    /// One more is done.
    package func advance() {
        done += 1
        draw()
    }

    /// Takes the bar away, so that what is printed next has the line for itself.
    package func finish() {
        guard !isQuiet, console.drawsProgress else { return }
        console.draw("\r\u{1B}[2K")
    }

    private func draw() {
        guard !isQuiet else { return }
        guard console.drawsProgress else {
            let tenth = done * 4 / total
            guard done > 0, tenth > lastTenth else { return }
            lastTenth = tenth
            console.note("\(label): \(done) of \(total) seed\(total == 1 ? "" : "s")")
            return
        }
        let width = 24
        let filled = done * width / total
        let bar =
            String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
        let spent = Int((ContinuousClock.now - started).components.seconds)
        let left = done > 0 && spent > 1 ? ", about \(spent * (total - done) / done) s left" : ""
        console.draw("\r\u{1B}[2K\(label) [\(bar)] \(done)/\(total)\(left)")
    }
}
