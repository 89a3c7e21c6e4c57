import Foundation
import Lab
import Quantities

/// Shows how a hunt goes: a line on a terminal, a plain line now and then in CI.
final class HuntProgress: @unchecked Sendable {
    // Told by one thread at a time: the search holds its lock.
    private let console: Console
    private let label: String
    private let schedule: HuntSchedule
    private let isQuiet: Bool
    private let started = ContinuousClock.now
    private var last = ContinuousClock.now

    init(console: Console, label: String, schedule: HuntSchedule, isQuiet: Bool) {
        self.console = console
        self.label = label
        self.schedule = schedule
        self.isQuiet = isQuiet
    }

    /// The search has come so far.
    func show(_ result: HuntSearch.Result) {
        guard !isQuiet else { return }
        let now = ContinuousClock.now
        guard now - last >= (console.drawsProgress ? .milliseconds(200) : .seconds(10)) else {
            return
        }
        last = now
        let text = line(result)
        if console.drawsProgress {
            console.draw("\r\u{1B}[2K\(text)")
        } else {
            console.note(text)
        }
    }

    /// Takes the line away.
    func finish() {
        guard !isQuiet, console.drawsProgress else { return }
        console.draw("\r\u{1B}[2K")
    }

    /// Runs, speed and coverage in one line.
    func line(_ result: HuntSearch.Result) -> String {
        let phase = schedule.phase(of: result.next).phase.rawValue
        let coverage = result.coverage
        return "\(label): \(phase), \(result.runs) runs, \(speed(result)) runs/s, "
            + "\(coverage.struck) of \(coverage.total) places struck"
    }

    /// Runs a second since the start.
    func speed(_ result: HuntSearch.Result) -> Int {
        let spent = (ContinuousClock.now - started).inSeconds
        return Int((Double(result.runs) / max(spent, 0.001)).rounded())
    }
}
