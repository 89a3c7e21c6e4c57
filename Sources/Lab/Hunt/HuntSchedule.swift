import Profiles
import Quantities
import SimulationKernel

/// Which plan a hunt tries as its n-th: the same in every process, made from a census alone.
///
/// First nothing at all, then every single fault, then every death together with every lost answer,
/// then sampled pairs, then swarms without end.
package struct HuntSchedule: Sendable {
    /// A stretch of the schedule.
    package enum Phase: String, Sendable, CaseIterable {
        /// The run without any fault.
        case goodRun = "no fault"
        /// Each fault by itself.
        case singles = "single faults"
        /// Each death with each lost answer.
        case deathAndLoss = "a death and a lost answer"
        /// Two faults, sampled.
        case pairs = "sampled pairs"
        /// Several faults of a few kinds, and other seeds.
        case swarm = "swarms"
    }

    /// Pairs of a death and a lost answer beyond this are sampled: a bound on time (assumption).
    static let mostDeathAndLoss = 4_000
    /// How many pairs are sampled (assumption).
    static let pairCount = 2_000

    private let profile: String
    private let seeds: ClosedRange<UInt64>
    private let pool: HuntPool
    private let deathAndLossCount: Int
    /// Every single fault, in the order of the schedule.
    package let singles: [FaultEntry]

    /// Makes the schedule of a profile whose good run gave this census.
    package init(profile: String, seeds: ClosedRange<UInt64>, census: RunCensus) {
        self.profile = profile
        self.seeds = seeds
        pool = HuntPool(census)
        singles = Self.spread(pool.all)
        deathAndLossCount = min(Self.mostDeathAndLoss, pool.kills.count * pool.lostResponses.count)
    }

    /// How many single faults are tried in the order of the run; beyond, no hunt of a minute comes to their end (an
    /// assumption: a short run has a thousand places, a commute tens of thousands).
    static let mostInOrder = 3_000

    /// Many faults in an order of which every stretch has all kinds from everywhere in the run; few as they are.
    ///
    /// By the golden section, whose multiples lie evenly: Knuth, The Art of Computer Programming 3, 6.4.
    package static func spread(_ faults: [FaultEntry]) -> [FaultEntry] {
        let count = faults.count
        guard count > mostInOrder else { return faults }
        var step = count * 618_034 / 1_000_000
        while greatestCommonDivisor(step, count) != 1 { step += 1 }
        return (0..<count).map { faults[$0 * step % count] }
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    /// How many plans a phase has; nil for one without end.
    package func count(of phase: Phase) -> Int? {
        switch phase {
        case .goodRun: 1
        case .singles: pool.all.count
        case .deathAndLoss: deathAndLossCount
        case .pairs: pool.all.isEmpty ? 0 : Self.pairCount
        case .swarm: nil
        }
    }

    /// The phase of a plan, and its number within it from zero.
    package func phase(of index: Int) -> (phase: Phase, number: Int) {
        var rest = index
        for phase in Phase.allCases {
            guard let count = count(of: phase), rest >= count else { return (phase, rest) }
            rest -= count
        }
        return (.swarm, rest)
    }

    /// The plan of this number, from zero.
    package func plan(_ index: Int) -> FaultPlan {
        let (phase, number) = phase(of: index)
        var draws = RandomStream(key: UInt64(index) &+ 0x6F6E_6562_6172)
        switch phase {
        case .goodRun:
            return plan([])
        case .singles:
            return plan([singles[number]])
        case .deathAndLoss:
            let all = pool.kills.count * pool.lostResponses.count
            let chosen = all > deathAndLossCount ? Int(draws.below(UInt64(all))) : number
            let losses = pool.lostResponses.count
            return plan([pool.kills[chosen / losses], pool.lostResponses[chosen % losses]])
        case .pairs:
            return plan([draw(&draws, from: pool.all), draw(&draws, from: pool.all)])
        case .swarm:
            return swarm(number, &draws)
        }
    }

    private func plan(_ faults: [FaultEntry]) -> FaultPlan {
        FaultPlan(profile: profile, seed: seeds.lowerBound, faults: faults)
    }

    /// A few kinds, chosen first, and up to eight faults of them; each seed in turn.
    private func swarm(_ number: Int, _ draws: inout RandomStream) -> FaultPlan {
        // No draw for what cannot be there: the plans of other profiles stay as they were.
        let possible = FaultKind.allCases.filter { kind in
            kind != .processSecond && (pool.hasSession || !kind.isOfSession)
                && (pool.hasUploads || !kind.isOfUpload)
        }
        var kinds = possible.filter { _ in draws.below(3) == 0 }
        // Drawn apart, for the same reason.
        var apart = RandomStream(key: UInt64(number) &+ 0x7365_636F_6E64)
        if apart.below(3) == 0 { kinds.append(.processSecond) }
        var chosen = pool.all.filter { kinds.contains($0.kind) }
        if chosen.isEmpty { chosen = pool.all }
        guard !chosen.isEmpty else { return plan([]) }
        let count = 1 + Int(draws.below(8))
        let faults = (0..<count).map { _ in draw(&draws, from: chosen) }
        let width = seeds.upperBound - seeds.lowerBound + 1
        return FaultPlan(
            profile: profile,
            seed: seeds.lowerBound + UInt64(number) % width,
            faults: faults
        )
    }

    /// One of the pool; deaths also in later launches, for faults while the app recovers.
    private func draw(_ draws: inout RandomStream, from pool: [FaultEntry]) -> FaultEntry {
        var entry = pool[Int(draws.below(UInt64(pool.count)))]
        guard case .inside(var place) = entry.placement else { return entry }
        place.launch = 1 + Int(draws.below(3))
        place.nth = 1 + Int(draws.below(UInt64(max(1, place.nth))))
        entry.placement = .inside(place)
        return entry
    }
}
