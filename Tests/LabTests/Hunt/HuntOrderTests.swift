import Lab
import Profiles
import Testing

/// In which order a hunt tries single faults.
@Suite struct HuntOrderTests {
    /// As many faults, a tenth of them at each of ten instants in turn, as a pool has kinds one after another.
    private static func pool(_ count: Int) -> [FaultEntry] {
        (0..<count).map { index in
            FaultEntry(.expireToken, .at(.seconds(index * 10 / count)))
        }
    }

    @Test func `few faults are tried in the order of the run`() {
        let pool = Self.pool(3_000)
        #expect(HuntSchedule.spread(pool) == pool)
    }

    // 3,001 and 45,866 share no factor with the step at first; 3,090 and 10,000 may.
    @Test(arguments: [3_001, 3_090, 10_000, 45_866])
    func `of many faults each is tried once`(count: Int) {
        let faults = (0..<count).map { FaultEntry(.expireToken, .at(.seconds($0))) }
        let spread = HuntSchedule.spread(faults).map(\.planText)
        #expect(Set(spread).count == count)
        #expect(spread.count == count)
    }

    // Ten of a hundred are to be expected of each tenth.
    @Test(arguments: [3_001, 10_000, 45_866])
    func `every stretch of many faults has all kinds from everywhere`(count: Int) {
        let spread = HuntSchedule.spread(Self.pool(count))
        for start in stride(from: 0, to: count - 100, by: 97) {
            var counts: [String: Int] = [:]
            for entry in spread[start..<start + 100] { counts[entry.planText, default: 0] += 1 }
            #expect(counts.count == 10)
            #expect(counts.values.allSatisfy { (8...12).contains($0) }, "\(counts)")
        }
    }
}
