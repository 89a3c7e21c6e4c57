import Quantities
import Trace

/// The machine of `PowerSaveParameters`: awake until the timer runs out, high-rate by windows.
final class PowerSaveMachine {
    private enum Index {
        static let psm = 0
        static let wake = 1
        static let cam = 2
        static let camHigh = 3
        static let tail = 4
    }

    private let parameters: PowerSaveParameters
    private let edges: RadioEdges
    private let timer: RadioTime
    private let window: Int64
    private let commitment: Energy
    private var held = HeldRanges()
    private var last: RadioTime?
    /// Up to here ranges are decided.
    private var drawn = RadioTime.zero
    private var windowIndex: Int64 = 0
    private var windowBytes: Int64 = 0

    init(_ parameters: PowerSaveParameters, edges: RadioEdges) {
        self.parameters = parameters
        self.edges = edges
        timer = RadioTime(parameters.timer)
        window = parameters.window.wholeNanoseconds
        commitment = parameters.camPower.energy(over: parameters.timer)
    }

    func take(_ use: RadioUse, _ ledger: inout RadioLedger) {
        let time = use.start
        let index = time.nanoseconds / window
        var wakes = true
        if let before = last {
            wakes = edges.isLess(before + timer, time)
            if wakes || index != windowIndex { closeWindow(awakeUntil: wakes ? before : time) }
            if wakes { append(Index.tail, until: before + timer) }
        }
        if wakes {
            append(Index.psm, until: time)
            held.ranges.append(RadioRange(state: Index.wake, start: time, end: time))
        }
        if wakes || index != windowIndex { windowBytes = 0 }
        windowIndex = index
        windowBytes += use.bytes
        last = time
        held.flush(&ledger, edges: edges)
        held.note(use, commitment: commitment)
    }

    func finish(at end: RadioTime, _ ledger: inout RadioLedger) {
        if let last {
            closeWindow(awakeUntil: edges.earlier(last, end))
            append(Index.tail, until: edges.earlier(last + timer, end))
        }
        append(Index.psm, until: end)
        held.finish(&ledger, edges: edges)
    }

    func phase(at time: RadioTime) -> RadioPhase {
        guard let last, !edges.isLess(last + timer, time) else {
            return RadioPhase(state: Index.psm, promotion: Index.wake)
        }
        return RadioPhase(state: edges.isLess(last, time) ? Index.tail : Index.cam)
    }

    /// Decides the window of the last packets, and the awake time after it up to `time`.
    private func closeWindow(awakeUntil time: RadioTime) {
        let isHigh = windowBytes > parameters.threshold
        let end = RadioTime(nanoseconds: (windowIndex + 1) * window)
        append(isHigh ? Index.camHigh : Index.cam, until: edges.earlier(end, time))
        append(Index.cam, until: time)
    }

    private func append(_ state: Int, until end: RadioTime) {
        guard edges.isLess(drawn, end) else { return }
        held.ranges.append(RadioRange(state: state, start: drawn, end: end))
        drawn = end
    }
}
