import Measurements

/// One profile, run over its seeds and judged: what every report is made of.
package struct ProfileRun: Codable, Sendable, Equatable {
    /// The profile's name, such as "commute": also the name of its report folder.
    package let profile: String
    /// One line on what it simulates; may be empty.
    package let summary: String
    /// How time was made virtual: "captured" or "portable".
    package let mode: String
    /// The radios, with year and grade, to print beside their joules.
    package let radios: [RadioNote]
    /// The results, by seed.
    package private(set) var seeds: [SeedResult]
    /// How the budget lines came out.
    package let budgets: [BudgetVerdict]
    /// How the whole came out.
    package let verdict: RunVerdict
    /// What replays a seed, with `{seed}` in the seed's place.
    package let replayTemplate: String
    /// The committed figures it was compared with, if any.
    package let baseline: BudgetBaseline?

    /// Judges `seeds` by `rules` and makes a run of them.
    package init(
        profile: String,
        summary: String = "",
        mode: String,
        radios: [RadioNote],
        seeds: [SeedResult],
        rules: [BudgetRule],
        baseline: BudgetBaseline? = nil,
        irreproducible: [String] = [],
        labFaults: [String] = [],
        replayTemplate: String? = nil
    ) {
        let sorted = seeds.sorted { $0.seed < $1.seed }
        let usable = baseline?.profile == profile ? baseline : nil
        var warnings: [String] = []
        if let baseline, usable == nil {
            warnings.append(
                "the baseline is of profile '\(baseline.profile)', so nothing was compared with it"
            )
        }
        self.profile = profile
        self.summary = summary
        self.mode = mode
        self.radios = radios
        self.seeds = sorted
        self.budgets = BudgetVerdict.judge(rules, seeds: sorted, baseline: usable)
        self.verdict = RunVerdict(
            seeds: sorted,
            budgets: self.budgets,
            irreproducible: irreproducible,
            labFaults: labFaults,
            warnings: warnings
        )
        self.replayTemplate = replayTemplate ?? "onebar run \(profile) --seeds {seed}"
        self.baseline = usable
    }

    /// The line that replays `seed`.
    package func replay(_ seed: UInt64) -> String {
        guard let place = replayTemplate.firstRange(of: "{seed}") else { return replayTemplate }
        return replayTemplate[..<place.lowerBound] + String(seed)
            + replayTemplate[place.upperBound...]
    }

    /// All breaches: by guarantee, then by seed and time.
    package var breaches: [GuaranteeBreach] {
        seeds.flatMap(\.breaches).enumerated()
            .sorted {
                ($0.element.guarantee, $0.offset) < ($1.element.guarantee, $1.offset)
            }
            .map(\.element)
    }

    /// One fingerprint for all seeds: FNV-1a (64 bits) over each seed and its fingerprint.
    package var fingerprint: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for seed in seeds {
            for byte in "\(seed.seed):\(seed.fingerprint);".utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The seed that a report shows first: most breaches, then furthest over a budget, then lowest.
    package var worstSeed: SeedResult? {
        seeds.enumerated()
            .max {
                let (left, right) = ($0.element, $1.element)
                if left.breaches.count != right.breaches.count {
                    return left.breaches.count < right.breaches.count
                }
                let (first, second) = (strain(of: left), strain(of: right))
                return first != second ? first < second : $0.offset > $1.offset
            }?
            .element
    }

    /// The largest ratio of a seed's own value to its limit, over all budgets with an upper limit.
    private func strain(of seed: SeedResult) -> Double {
        budgets.compactMap { verdict -> Double? in
            guard verdict.rule.comparison != .atLeast, let limit = verdict.limit, limit > 0,
                let value = seed.value(of: verdict.metric)
            else { return nil }
            return value / limit
        }
        .max() ?? 0
    }
}

/// A radio as reports name it: never joules without its year and grade.
package struct RadioNote: Codable, Sendable, Equatable {
    /// What it is for: "cellular" or "wifi".
    package let role: String
    /// Its file's name, such as "lte-2012-aro".
    package let name: String
    /// The year of its source; zero for a textbook radio.
    package let year: Int
    /// A timers and powers published, B timers only, C assumed.
    package let grade: String

    /// Makes a note.
    package init(role: String, name: String, year: Int, grade: String) {
        self.role = role
        self.name = name
        self.year = year
        self.grade = grade
    }

    /// What its grade means.
    package var gradeMeaning: String {
        switch grade {
        case "A": "timers and powers published"
        case "B": "timers published, powers not"
        default: "assumed"
        }
    }

    /// `lte-2012-aro (2012, grade A)`.
    package var text: String {
        year > 0 ? "\(name) (\(year), grade \(grade))" : "\(name) (grade \(grade))"
    }
}

extension ProfileRun {
    /// The same run without the times that the host took: what may be written to files.
    package var withoutHostTimes: ProfileRun {
        var copy = self
        for index in copy.seeds.indices { copy.seeds[index].hostNanoseconds = 0 }
        return copy
    }
}
