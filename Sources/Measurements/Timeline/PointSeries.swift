import Quantities

/// Points of one step line, thinned when they become too many; peaks stay.
struct PointSeries {
    private(set) var points: [TimelinePoint] = []
    private let limit: Int

    init(limit: Int = 480) {
        self.limit = limit
    }

    /// Adds the value that holds from `instant` on.
    mutating func append(_ value: Int64, at instant: SimulationInstant) {
        if points.last?.value == value { return }
        if points.last?.instant == instant {
            points[points.count - 1].value = value
            return
        }
        points.append(TimelinePoint(instant: instant, value: value))
        if points.count > limit { thin() }
    }

    /// Joins each two neighbours into one with the larger value; first and last point stay.
    private mutating func thin() {
        guard let first = points.first, let last = points.last else { return }
        var thinned = [first]
        var index = 1
        while index < points.count - 2 {
            let value = max(points[index].value, points[index + 1].value)
            thinned.append(TimelinePoint(instant: points[index].instant, value: value))
            index += 2
        }
        if index == points.count - 2 { thinned.append(points[index]) }
        thinned.append(last)
        points = thinned
    }
}
