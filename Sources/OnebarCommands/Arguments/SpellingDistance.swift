/// How far two words are apart, for "did you mean".
package enum SpellingDistance {
    /// Levenshtein's distance (1966): insertions, deletions and substitutions.
    package static func between(_ left: String, _ right: String) -> Int {
        let target = Array(right)
        var row = Array(0...target.count)
        for (i, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in target.indices {
                let above = row[j + 1]
                row[j + 1] = min(
                    above + 1,
                    row[j] + 1,
                    diagonal + (character == target[j] ? 0 : 1)
                )
                diagonal = above
            }
        }
        return row[target.count]
    }

    /// The nearest of `candidates` if it is near enough to be a slip of the fingers.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (distance: between(word, $0), word: $0) }
            .min { ($0.distance, $0.word) < ($1.distance, $1.word) }
        guard let best = ranked, best.distance <= max(1, word.count / 3) else { return nil }
        return best.word
    }
}
