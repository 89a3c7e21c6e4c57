import Budgets
import Measurements
import Quantities
import Reporting
import Testing

/// Which operation costs the most, how much of it is tail, and what would have saved most.
@Suite struct EnergyOperationTests {
    private static func run(advice: [EnergyAdvice]?) -> ProfileRun {
        // Two seeds: sync draws 2 + 6 J and 4 + 8 J, which is 10 J on average, 70 % of it tail.
        let seeds = [(2, 6), (4, 8)].enumerated().map { index, joules in
            SeedResult(
                seed: UInt64(index + 1),
                mode: "captured",
                metrics: [],
                energy: [
                    OperationEnergy(owner: "idle", otherNanojoules: 90_000_000_000),
                    OperationEnergy(
                        owner: "sync",
                        activeNanojoules: Int64(joules.0) * 1_000_000_000,
                        tailNanojoules: Int64(joules.1) * 1_000_000_000
                    ),
                    OperationEnergy(owner: "dns", activeNanojoules: 500_000_000),
                ],
                advice: index == 0 ? advice : nil,
                fingerprint: "0",
                virtualEnd: .zero
            )
        }
        return ProfileRun(profile: "p", mode: "captured", radios: [], seeds: seeds, rules: [])
    }

    @Test func `the terminal ranks operations and leaves the phone out`() {
        let text = RunSummaryText(Self.run(advice: nil), isColored: false).text
        let lines = text.split(separator: "\n").map(String.init)
        let start = lines.firstIndex { $0.hasPrefix("Energy by operation, mean") } ?? lines.count
        let rows = lines.dropFirst(start + 1).prefix(2).map { $0.split(separator: " ") }
        #expect(rows == [["sync", "10", "J", "70", "%"], ["dns", "0.5", "J", "0", "%"]])
        #expect(!text.contains("would have saved"))
    }

    @Test func `the page says which operation costs the most, and the advice with its joules`() {
        let advice = [EnergyAdvice(message: "gather <sync>", savedNanojoules: 3_000_000_000)]
        let run = Self.run(advice: advice)
        let page = ReportPage.text(of: run)
        let leading =
            "Of the app's operations <b>sync</b> costs the most: 10 J, of which 70 % is tail."
        #expect(page.contains(leading))
        #expect(page.contains("What would have saved most in seed 1"))
        #expect(page.contains("<li>3 J: gather &lt;sync&gt;</li>"))
        let text = RunSummaryText(run, isColored: false).text
        #expect(text.contains("What would have saved most in seed 1"))
        #expect(text.contains("3 J  gather <sync>"))
    }

    @Test func `the table has every owner of every seed`() {
        let rows = RunCSV.energy(of: Self.run(advice: nil)).split(whereSeparator: \.isNewline)
        #expect(rows.count == 7)
        #expect(rows[2] == "p,1,sync,2,6,0,8")
    }
}
