import Quantities

/// Something that took a while, to be put on a track.
struct PerfettoSlice {
    var start: SimulationInstant
    var end: SimulationInstant
    var name: String
    var category = ""
    var details: [(name: String, value: String)] = []
    var flows: [UInt64] = []
}

extension PerfettoTrace {
    /// Puts slices that lie within each other or apart on one track, the outer ones first.
    mutating func addNested(_ slices: [PerfettoSlice], on track: Track) {
        let sorted = slices.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.start != second.start { return first.start < second.start }
            if first.end != second.end { return first.end > second.end }
            return left.offset < right.offset
        }.map(\.element)
        var open: [SimulationInstant] = []
        func end(_ instant: SimulationInstant, _ trace: inout PerfettoTrace) {
            trace.add(Event(kind: .end, track: track, instant: instant))
        }
        for slice in sorted {
            while let last = open.last, last <= slice.start {
                end(last, &self)
                open.removeLast()
            }
            add(
                Event(
                    kind: .begin,
                    track: track,
                    instant: slice.start,
                    name: slice.name,
                    category: slice.category,
                    details: slice.details,
                    flows: slice.flows
                )
            )
            open.append(min(slice.end, open.last ?? slice.end))
        }
        for instant in open.reversed() { end(instant, &self) }
    }

    /// Puts slices that overlap on as many tracks as it takes, each the first that is free.
    mutating func addSideBySide(
        _ slices: [PerfettoSlice],
        named name: String,
        below parent: Track
    ) {
        var lanes: [[PerfettoSlice]] = []
        for slice in slices.enumerated()
            .sorted(by: { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) })
            .map(\.element)
        {
            let free = lanes.firstIndex { ($0.last?.end ?? .zero) <= slice.start }
            if let free { lanes[free].append(slice) } else { lanes.append([slice]) }
        }
        for (number, lane) in lanes.enumerated() {
            let track = addTrack(
                lanes.count == 1 ? name : "\(name) \(number + 1)",
                below: parent
            )
            addNested(lane, on: track)
        }
    }
}
