/// Finds what a misspelt name was probably meant to be.
package enum NearestName {
    /// The candidate that takes the fewest edits, if that is few enough to be a slip.
    ///
    /// Edits are insertions, deletions, substitutions and swaps of neighbours (Damerau, restricted);
    /// letter case costs nothing. Up to one edit for every three letters, at least one, is a slip
    /// (assumption: what people are helped by). Ties go to the first candidate.
    package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased())
        var best: (name: String, edits: Int)?
        for candidate in candidates {
            let edits = distance(wanted, Array(candidate.lowercased()))
            if edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        guard let best, best.edits <= max(1, max(wanted.count, best.name.count) / 3) else {
            return nil
        }
        return best.name
    }

    /// A remedy for an unknown name: the nearest one, or all of them.
    package static func remedy(for name: String, among candidates: [String]) -> String {
        if let nearest = of(name, among: candidates) { return "did you mean \"\(nearest)\"?" }
        return "one of: \(candidates.joined(separator: ", "))"
    }

    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    least = min(least, beforeLast[j - 1] + 1)
                }
                row.append(least)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
