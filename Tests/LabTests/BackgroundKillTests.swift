import Budgets
import Lab
import Measurements
import Profiles
import Testing

/// Out of sight among other apps: who gives memory back lives.
@Suite struct BackgroundKillTests {
    // Warm on the middle tier: 200 ms.
    @Test func `the shipped cache gives memory back and is there when its person returns`() throws {
        let run = try LabRuns.run(LabRuns.scenario("background-kill"))
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
        let seed = try #require(run.seeds.first)
        #expect(seed.value(of: MetricName("process.os_kills")) == 0)
    }

    // Cold on the middle tier: 1.5 s. The first absence kills it; by the second, maps and music are
    // gone (or it is the only one left to kill), so at least one of three.
    @Test func `a cache that keeps its bitmaps out of sight is killed and starts cold`() throws {
        var options = SeedRunner.Options()
        options.recordsTimeline = true
        let run = try LabRuns.run(
            LabRuns.scenario("background-kill"),
            app: LowMemoryFlingTests.twins([]),
            options: options
        )
        let broken = Set(run.budgets.filter { $0.verdict == .fail }.map(\.metric.text))
        #expect(broken.isSuperset(of: ["process.os_kills", "user.wait_s"]), "\(broken)")
        let seed = try #require(run.seeds.first)
        #expect((1...3).contains(seed.value(of: MetricName("process.os_kills")) ?? 0))
        let marks = seed.timeline?.marks.filter { $0.kind == "kill" }.map(\.label) ?? []
        #expect(
            marks.first?.contains("systemKill; it held") == true
                && marks.first?.contains("bitmaps") == true,
            "\(marks)"
        )
    }
}
