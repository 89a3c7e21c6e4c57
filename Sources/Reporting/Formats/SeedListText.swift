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

    /// How many and which: `seed 7`, `20 seeds (1..20)`.
    package static func counted(_ seeds: [UInt64]) -> String {
        seeds.count == 1 ? "seed \(text(seeds))" : "\(seeds.count) seeds (\(text(seeds)))"
    }

    /// The seeds that `text` lists; nil if it is no such list or names more than a million.
    package static func seeds(_ text: String) -> [UInt64]? {
        var seeds: [UInt64] = []
        for part in text.split(separator: ",") {
            let ends = part.drop { $0 == " " }.split(
                separator: "..",
                omittingEmptySubsequences: false
            )
            guard let first = ends.first.flatMap({ UInt64($0) }), ends.count <= 2,
                let last = ends.last.flatMap({ UInt64($0) }), first <= last,
                last - first < 1_000_000, seeds.count < 1_000_000
            else { return nil }
            seeds += Array(first...last)
        }
        return seeds.isEmpty ? nil : seeds
    }
}
