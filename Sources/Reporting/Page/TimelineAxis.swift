import Measurements
import Quantities

/// The time axis that the drawings of a seed share: where its ticks stand, and what they say.
struct TimelineAxis {
    private let end: Int64

    /// Makes the axis of a run that ended then.
    init(end: SimulationInstant) {
        self.end = end.nanoseconds
    }

    /// How far along the axis an instant lies, in percent.
    func share(_ instant: SimulationInstant) -> Double {
        Double(instant.nanoseconds) / Double(max(1, end)) * 100
    }

    /// The row of labels.
    var text: String {
        let step = Self.step(for: .nanoseconds(end))
        var marks = ""
        var tick: Int64 = 0
        while tick < end {
            let left = share(SimulationInstant(nanoseconds: tick))
            if left < 94 {
                let label = MarkupText.escaped(Duration.nanoseconds(tick).compactText)
                // A phone has no room for a label so far to the right.
                let place = left < 85 ? "" : " class=\"late\""
                marks +=
                    "<span\(place) style=\"left:\(BudgetSection.percent(left))\">\(label)</span>"
            }
            tick += step
        }
        return
            "<div class=\"row\"><div class=\"lab\"></div><div class=\"axis\">\(marks)</div></div>\n"
    }

    /// The distance of ticks in nanoseconds: the smallest round one that gives eight at most.
    static func step(for length: Duration) -> Int64 {
        let second: Int64 = 1_000_000_000
        let seconds: [Int64] = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600,
            43_200, 86_400, 172_800, 604_800,
        ]
        let total = length.wholeNanoseconds
        if total < second { return max(1, total / 5) }
        return (seconds.first { total / ($0 * second) < 8 } ?? max(604_800, total / second / 8))
            * second
    }
}
