import PhoneModel
import Quantities
import Trace

/// A burst with the figures that a published tool gives for it.
package struct ToolBurst: Equatable, Sendable {
    /// The packets and the category.
    package var burst: Burst
    /// Joules by the tool's arithmetic.
    package var joules: Double
    /// Seconds in active states.
    package var activeSeconds: Double
}

extension StateAnalysis {
    /// Bursts with a tool's own figures, defects included; for the modes of ARO and Video Optimizer.
    ///
    /// On LTE a tool charges the whole range to every burst that touches it (research notes A.6,
    /// defect 5), so that the sum exceeds the total. Quadratic only in ranges that overlap.
    package func toolBursts(_ traffic: Traffic) -> [ToolBurst] {
        let bursts = self.bursts(traffic)
        let ranges = toolRanges(traffic)
        let arithmetic = ToolArithmetic(mode: mode, model: model, packets: Array(traffic.packets))
        let isWhole = model.technology == .lte || model.technology == .nr
        let active = Set(model.toolActiveStates)
        var first = 0
        return bursts.indices.map { index in
            let start = index == 0 ? 0 : Double(bursts[index].start) / 1e9
            let end =
                index + 1 < bursts.count
                ? Double(bursts[index + 1].start) / 1e9 : Double(traffic.length) / 1e9
            var result = ToolBurst(burst: bursts[index], joules: 0, activeSeconds: 0)
            while first < ranges.count, ranges[first].end.seconds < start { first += 1 }
            for range in ranges[first...] {
                guard range.start.seconds < end else { break }
                let from = max(range.start.seconds, start)
                let to = min(range.end.seconds, end)
                guard to > from || isWhole else { continue }
                result.joules +=
                    isWhole
                    ? arithmetic.joules(
                        range.state,
                        from: range.start.seconds,
                        to: range.end.seconds
                    )
                    : arithmetic.joules(range.state, from: from, to: to)
                if active.contains(range.state) { result.activeSeconds += to - from }
            }
            return result
        }
    }
}
