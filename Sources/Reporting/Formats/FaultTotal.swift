import Measurements

/// One fault over all seeds.
struct FaultTotal {
    /// Its name.
    let name: String
    /// In how many seeds it fired.
    let firedSeeds: Int
    /// How often it fired in all.
    let fired: Int
    /// How often it came due with nothing to harm.
    let absorbed: Int
    /// Why it was left out, if it was.
    let skipped: String?
    /// What the first firing said of itself.
    let detail: String

    /// The faults of the first seed, totalled over all seeds.
    static func all(of seeds: [SeedResult]) -> [FaultTotal] {
        (seeds.first?.faults ?? []).map { fault in
            let accounts = seeds.compactMap { seed in
                seed.faults.first { $0.index == fault.index }
            }
            return FaultTotal(
                name: fault.name,
                firedSeeds: accounts.count { $0.fired > 0 },
                fired: accounts.reduce(0) { $0 + $1.fired },
                absorbed: accounts.reduce(0) { $0 + $1.absorbed },
                skipped: accounts.lazy.compactMap(\.skipped).first,
                detail: accounts.first { !$0.detail.isEmpty }?.detail ?? ""
            )
        }
    }
}
