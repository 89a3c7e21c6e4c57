import Measurements

/// Which operations cost the most over some seeds, and how much of it is tail.
struct EnergyRanking {
    /// One operation, the mean of all seeds.
    struct Operation {
        let owner: String
        var joules = 0.0
        var tail = 0.0
        var tailPercent: Double { joules > 0 ? tail / joules * 100 : 0 }
    }

    /// Largest first; what the phone itself draws is left out.
    let operations: [Operation]

    init(_ seeds: [SeedResult]) {
        var sums: [String: Operation] = [:]
        for entry in seeds.flatMap(\.energy) where !Self.isPhone(entry.owner) {
            sums[entry.owner, default: Operation(owner: entry.owner)].joules +=
                Double(entry.totalNanojoules) / 1e9 / Double(seeds.count)
            sums[entry.owner]?.tail += Double(entry.tailNanojoules) / 1e9 / Double(seeds.count)
        }
        operations = sums.values.filter { $0.joules > 0 }.sorted {
            ($1.joules, $0.owner) < ($0.joules, $1.owner)
        }
    }

    /// Whether an owner is the phone rather than an operation.
    static func isPhone(_ owner: String) -> Bool {
        ["", "(nobody)", "system", "idle", "base", "screen"].contains(owner)
    }
}
