/// How far two words are apart, for "did you mean".
package enum SpellingDistance {
    /// Insertions, deletions, substitutions and swaps of neighbours (Damerau, 1964; optimal alignment).
    package static func between(_ left: String, _ right: String) -> Int {
        let source = Array(left)
        let target = Array(right)
        var rows = [Array(0...target.count)]
        for i in source.indices {
            var row = [i + 1]
            for j in target.indices {
                let isSame = source[i] == target[j]
                var best = min(rows[i][j + 1], row[j]) + 1
                best = min(best, rows[i][j] + (isSame ? 0 : 1))
                if i > 0, j > 0, source[i] == target[j - 1], source[i - 1] == target[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[source.count][target.count]
    }

    /// The nearest of `candidates` if it is near enough to be a slip of the fingers.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (distance: between(word, $0), word: $0) }
            .min { ($0.distance, $0.word) < ($1.distance, $1.word) }
        guard let best = ranked, best.distance <= max(1, word.count / 3) else { return nil }
        return best.word
    }
}
