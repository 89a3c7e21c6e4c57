/// Half-open ranges of numbers, ascending, disjoint and not touching.
///
/// Offsets of a stream or numbers of packets. Adding at the end costs O(1), elsewhere O(ranges).
struct RangeSet: Equatable {
    /// The ranges, the lowest first.
    private(set) var ranges: [Range<Int64>] = []

    /// Whether nothing is in it.
    var isEmpty: Bool { ranges.isEmpty }

    /// Adds a range.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        if let last = ranges.last, last.upperBound < range.lowerBound {
            ranges.append(range)
            return
        }
        var merged = range
        var begin = ranges.count
        while begin > 0, ranges[begin - 1].upperBound >= range.lowerBound { begin -= 1 }
        var end = begin
        while end < ranges.count, ranges[end].lowerBound <= merged.upperBound {
            let lower = min(merged.lowerBound, ranges[end].lowerBound)
            merged = lower..<max(merged.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(begin..<end, with: CollectionOfOne(merged))
    }

    /// Takes a range out.
    mutating func remove(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        var index = 0
        while index < ranges.count {
            let held = ranges[index]
            guard held.overlaps(range) else {
                if held.lowerBound >= range.upperBound { return }
                index += 1
                continue
            }
            var rest: [Range<Int64>] = []
            if held.lowerBound < range.lowerBound {
                rest.append(held.lowerBound..<range.lowerBound)
            }
            if held.upperBound > range.upperBound {
                rest.append(range.upperBound..<held.upperBound)
            }
            ranges.replaceSubrange(index...index, with: rest)
            index += rest.count
        }
    }

    /// Takes out the first range, at most `limit` numbers of it; nil if there is none.
    mutating func popFirst(atMost limit: Int64) -> Range<Int64>? {
        guard let first = ranges.first, limit > 0 else { return nil }
        let taken = first.lowerBound..<min(first.upperBound, first.lowerBound + limit)
        remove(taken)
        return taken
    }

    /// Forgets the lowest ranges beyond the `count` highest.
    mutating func keepHighest(_ count: Int) {
        if ranges.count > count { ranges.removeFirst(ranges.count - count) }
    }

    /// Whether `number` is in it.
    func contains(_ number: Int64) -> Bool {
        guard let last = ranges.last, number < last.upperBound else { return false }
        return ranges.contains { $0.contains(number) }
    }

    /// Where the range ends that begins at or before `start`; `start` if none holds it.
    func end(from start: Int64) -> Int64 {
        for range in ranges where range.lowerBound <= start && range.upperBound > start {
            return range.upperBound
        }
        return start
    }

    /// The parts of `range` that are not in it, ascending.
    func missing(in range: Range<Int64>) -> [Range<Int64>] {
        var found: [Range<Int64>] = []
        var position = range.lowerBound
        for held in ranges where held.overlaps(range) {
            if held.lowerBound > position { found.append(position..<held.lowerBound) }
            position = max(position, held.upperBound)
        }
        if position < range.upperBound { found.append(position..<range.upperBound) }
        return found
    }
}
