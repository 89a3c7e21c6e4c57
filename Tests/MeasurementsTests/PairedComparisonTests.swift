import Budgets
import Foundation
import Testing

/// The gate's statistics, by hand and by simulation.
@Suite struct PairedComparisonTests {
    private func compare(_ before: [Double], _ after: [Double]) throws -> PairedComparison {
        try #require(PairedComparison(baseline: before, candidate: after))
    }

    @Test func `the chance is the share of sign flips that are as large`() throws {
        // Changes 1, 2, 3: sums under flips are 6, 4, 2, 0, 0, -2, -4, -6; one of 8 reaches 6.
        let all = try compare([100, 100, 100], [101, 102, 103])
        #expect(all.chanceIfSame == 0.125)
        #expect(all.changePercent == 2)
        #expect(all.scatterPercent == 1)
        // Changes 1, 2, -3: their sum is 0, which 5 of the 8 sums reach: 6, 4, 2, 0 and 0.
        #expect(try compare([100, 100, 100], [101, 102, 97]).chanceIfSame == 0.625)
    }

    @Test func `the margin is Student's t times the standard error`() throws {
        // t(0.995, 19) = 2.8609, tables; 20 changes of -1 and +1 by turns: s = root(20/19).
        let changes = (0..<20).map { $0 % 2 == 0 ? 101.0 : 99.0 }
        let comparison = try compare(Array(repeating: 100, count: 20), changes)
        let expected = 2.8609 * (20.0 / 19).squareRoot() / 20.0.squareRoot()
        #expect(abs(comparison.marginPercent - expected) < 0.001)
        #expect(comparison.verdict == .same)
    }

    @Test func `three seeds cannot show what is rarer than one in eight`() throws {
        let comparison = try compare([100, 100, 100], [150, 150, 150])
        #expect(comparison.verdict == .inconclusive(seedsNeeded: 8))
    }

    @Test func `equal values are the same, and zeros too`() throws {
        let values = (1...10).map(Double.init)
        #expect(try compare(values, values).verdict == .same)
        let zeros = Array(repeating: 0.0, count: 10)
        #expect(try compare(zeros, zeros).verdict == .same)
        #expect(PairedComparison(baseline: zeros, candidate: values) == nil)
        #expect(PairedComparison(baseline: [], candidate: []) == nil)
    }

    @Test func `where higher is better, less is worse`() throws {
        var setting = PairedComparison.Setting()
        setting.isHigherBetter = true
        let before = Array(repeating: 100.0, count: 10)
        let after = (0..<10).map { 95 + Double($0 % 2) }
        let worse = PairedComparison(baseline: before, candidate: after, setting: setting)
        #expect(worse?.verdict == .worse)
        #expect(PairedComparison(baseline: before, candidate: after)?.verdict == .better)
    }

    @Test func `wide scatter is said to be inconclusive, with the seeds it takes`() throws {
        // s = 10 % about: ((2.576 + 1.645) x 10.54 / 3)^2 = 220 seeds, and two.
        let after = (0..<10).map { $0 % 2 == 0 ? 110.0 : 90.0 }
        let comparison = try compare(Array(repeating: 100, count: 10), after)
        guard case .inconclusive(let seeds) = comparison.verdict else {
            Issue.record("\(comparison.verdict)")
            return
        }
        #expect((215...225).contains(seeds))
    }

    /// Pairs with a scatter of 2 % around a true change, drawn by a fixed generator.
    private func trial(_ number: UInt64, change: Double) -> PairedComparison? {
        var state = number &* 0x2545_F491_4F6C_DD1D | 1
        func uniform() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return (Double(state >> 11) + 0.5) / 9_007_199_254_740_992
        }
        var before: [Double] = []
        var after: [Double] = []
        for _ in 0..<20 {
            let level = 800 + 100 * uniform()
            let normal = (-2 * log(uniform())).squareRoot() * cos(2 * Double.pi * uniform())
            before.append(level)
            after.append(level + 850 * (change + 2 * normal) / 100)
        }
        return PairedComparison(baseline: before, candidate: after)
    }

    @Test func `20 seeds catch 3 percent in 95 of 100 trials, and noise fails at most 1 of 100`() {
        let trials: UInt64 = 200
        let caught = (1...trials).count { trial($0, change: 3)?.verdict == .worse }
        #expect(Double(caught) >= 0.95 * Double(trials), "\(caught)")
        let quiet = (1...trials).compactMap { trial($0, change: 0)?.verdict }
        #expect(Double(quiet.count { $0 == .worse }) <= 0.01 * Double(trials))
        #expect(Double(quiet.count { $0 == .same }) > 0.9 * Double(trials))
    }
}
