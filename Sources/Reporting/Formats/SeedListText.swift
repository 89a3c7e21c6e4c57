/// Seeds as a person writes them: `1..20`, `7`, `1..3, 9`.
package enum SeedListText {
    /// Runs of neighbours as ranges, in ascending order.
    package static func text(_ seeds: [UInt64]) -> String {
        var parts: [String] = []
        var start: UInt64?
        var last: UInt64 = 0
        func close() {
            guard let start else { return }
            parts.append(start == last ? "\(start)" : "\(start)..\(last)")
        }
        for seed in seeds.sorted() {
            if start != nil, last < .max, seed == last + 1 {
                last = seed
                continue
            }
            close()
            start = seed
            last = seed
        }
        close()
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}
