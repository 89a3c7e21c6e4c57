/// How far two texts are apart, for "did you mean".
package enum EditDistance {
    /// Insertions, deletions, substitutions and swaps of neighbours (Damerau, 1964; optimal alignment).
    ///
    /// O(n x m) time, O(m) space.
    package static func between(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left), Array(right))
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
