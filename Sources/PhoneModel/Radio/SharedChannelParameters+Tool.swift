import Quantities
import Trace

extension SharedChannelParameters {
    /// The ranges that the published tool infers, defects included: sorted, merged, cut at `end`.
    ///
    /// Ranges may overlap or leave a hole where a promotion is inferred backwards (research notes
    /// A.6, defect 9). Memory grows with the number of uses.
    package func toolRanges(_ uses: [RadioUse], end: RadioTime) -> [RadioRange] {
        let machine = SharedChannelMachine(
            self,
            edges: .binary,
            clampsWalkBack: false,
            flushes: false
        )
        var ledger = RadioLedger(states: states, slope: TransferSlope())
        for use in uses { machine.take(use, &ledger) }
        machine.close(at: end)
        let sorted = machine.held.ranges.enumerated().sorted {
            ($0.element.start.seconds, $0.offset) < ($1.element.start.seconds, $1.offset)
        }.map(\.element)
        var merged: [RadioRange] = []
        for range in sorted {
            if let last = merged.last, last.state == range.state {
                merged[merged.count - 1].end = range.end
            } else {
                merged.append(range)
            }
        }
        merged.removeAll { $0.start.seconds >= end.seconds }
        if let last = merged.indices.last, merged[last].end.seconds > end.seconds {
            merged[last].end = end
        }
        let reached = merged.last?.end ?? .zero
        if reached.seconds < end.seconds {
            merged.append(
                RadioRange(state: SharedChannelMachine.Index.idle, start: reached, end: end)
            )
        }
        return merged
    }
}
