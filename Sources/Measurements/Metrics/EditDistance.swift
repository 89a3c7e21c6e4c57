/// Levenshtein's distance: insertions, deletions and replacements from one text to another.
enum EditDistance {
    /// The distance between two texts; O(n * m) time, O(m) space.
    static func between(_ left: String, _ right: String) -> Int {
        let (first, second) = (Array(left), Array(right))
        var row = Array(0...second.count)
        for (i, a) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in second.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[second.count]
    }
}
