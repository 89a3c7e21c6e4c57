/// Ranges that arrived beyond a gap, and the selective acknowledgements that tell of them.
struct ReassemblyQueue {
    private struct Range {
        var lower: Int64
        var upper: Int64
    }

    /// By sequence, disjoint and not touching.
    private var held: [Range] = []
    /// The ranges to tell, the one that grew last first; at most four (RFC 2018, 4).
    private var recent: [Range] = []
    /// A range that arrived twice, told once (RFC 2883).
    private var duplicate: Range?

    /// Whether nothing waits beyond a gap.
    var isEmpty: Bool { held.isEmpty }

    /// Notes that a range arrived that was there before.
    mutating func noteDuplicate(lower: Int64, upper: Int64) {
        duplicate = Range(lower: lower, upper: upper)
    }

    /// Takes a range beyond a gap in; false if all of it was there.
    mutating func insert(lower: Int64, upper: Int64) -> Bool {
        var merged = Range(lower: lower, upper: upper)
        var index = held.count
        while index > 0, held[index - 1].upper >= lower { index -= 1 }
        if index < held.count, held[index].lower <= lower, held[index].upper >= upper {
            noteDuplicate(lower: lower, upper: upper)
            return false
        }
        var end = index
        while end < held.count, held[end].lower <= merged.upper {
            merged.lower = min(merged.lower, held[end].lower)
            merged.upper = max(merged.upper, held[end].upper)
            end += 1
        }
        if end == index + 1 {
            held[index] = merged
        } else {
            held.replaceSubrange(index..<end, with: [merged])
        }
        tell(merged)
        return true
    }

    private mutating func tell(_ range: Range) {
        if let top = recent.first, top.lower <= range.upper, top.upper >= range.lower {
            recent[0] = range
        } else {
            recent.removeAll { $0.lower <= range.upper && $0.upper >= range.lower }
            recent.insert(range, at: 0)
            if recent.count > 4 { recent.removeLast() }
        }
    }

    /// Everything up to `next` is there in order; returns how far it now reaches.
    mutating func advance(to next: Int64) -> Int64 {
        var reached = next
        while let head = held.first, head.lower <= reached {
            reached = max(reached, head.upper)
            held.removeFirst()
        }
        recent.removeAll { $0.lower < reached }
        return reached
    }

    /// Writes the ranges to tell into an acknowledgement of everything before `next`.
    ///
    /// A duplicate goes first, and is then forgotten.
    mutating func report(to ranges: inout SelectiveRanges, next: Int64) {
        if let duplicate {
            ranges.append(lower: duplicate.lower - next, upper: duplicate.upper - next)
            self.duplicate = nil
        }
        for range in recent {
            ranges.append(lower: range.lower - next, upper: range.upper - next)
        }
    }

    /// Whether an acknowledgement has a range to tell.
    var hasReport: Bool { duplicate != nil || !recent.isEmpty }
}
