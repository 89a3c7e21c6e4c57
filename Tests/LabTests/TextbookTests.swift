import Budgets
import Measurements
import Profiles
import Testing

/// The figures of DESIGN section 11 that profiles under `profiles/textbook` reproduce.
///
/// Each profile derives its figure in its first lines and carries it as a budget with both ends;
/// the value is asserted here once more, so that a loosened budget does not pass in silence.
@Suite struct TextbookTests {
    struct Figure: Sendable, CustomTestStringConvertible {
        let profile: String
        let metric: String
        let value: Double
        var tolerance = 0.0
        /// Of the samples of the one seed; nil for a metric that has one value a seed.
        var statistic: Statistic?

        var testDescription: String {
            "\(profile): \(statistic.map { "\($0.rawValue) " } ?? "")\(metric) = \(value)"
        }
    }

    static let figures: [Figure] = [
        // 10 x (1 s + 5 s tail).
        Figure(profile: "F1", metric: "radio.on_s", value: 60),
        // One burst of 2 s and one tail of 5 s.
        Figure(profile: "F2", metric: "radio.on_s", value: 7),
        // 96 x (1.2 + 10) s x 0.5 W.
        Figure(profile: "F3", metric: "radio.energy_j", value: 537.6, tolerance: 1e-6),
        // 537.6 / 41,580 of the battery.
        Figure(profile: "F3", metric: "battery.app_share_pct", value: 1.2929, tolerance: 0.0001),
        Figure(profile: "F3", metric: "device.wakeups", value: 96),
        // It rides: (14.2 - 13) s x 0.5 W.
        Figure(profile: "F4", metric: "radio.marginal_energy_j", value: 0.6, tolerance: 1e-9),
        Figure(profile: "F4", metric: "radio.energy_j", value: 7.1, tolerance: 1e-9),
        // 200 x 0.3 s x 0.5 W, on top of 200 x 11 s x 0.5 W.
        Figure(profile: "F5", metric: "radio.marginal_energy_j", value: 30, tolerance: 1e-9),
        Figure(profile: "F5", metric: "radio.energy_j", value: 1_130, tolerance: 1e-9),
        Figure(profile: "F6", metric: "device.wakeups", value: 288),
        // 288 x 5.6 J.
        Figure(profile: "F6", metric: "radio.energy_j", value: 1_612.8, tolerance: 1e-6),
        // 4 x (TCP + TLS + call) = 4 x 3 x 150 ms; and 300 ms of handshakes once, then 4 x 150 ms.
        Figure(profile: "F13", metric: "user.wait_s", value: 1.8, statistic: .max),
        Figure(profile: "F13", metric: "user.wait_s", value: 0.9, statistic: .min),
        Figure(profile: "F13", metric: "network.handshakes", value: 5),
        // 5 x (3 x 150 + 100) ms one after another, fresh; 150 + 100 ms all at once on a warm connection;
        // 2 x 150 ms more if it must be opened: the 6th of 11 samples.
        Figure(profile: "F14", metric: "user.wait_s", value: 2.75, statistic: .max),
        Figure(profile: "F14", metric: "user.wait_s", value: 0.25, statistic: .min),
        Figure(profile: "F14", metric: "user.wait_s", value: 0.55, statistic: .p50),
        // 8 x 200 kB x 8 / 1 Mbps, and 8 x 50 kB x 8 / 1 Mbps.
        Figure(profile: "F19", metric: "user.wait_s", value: 12.8, statistic: .max),
        Figure(profile: "F19", metric: "user.wait_s", value: 3.2, statistic: .min),
        // Attempts at 0, 3.5 and 8 s, never a fourth; told at the deadline.
        Figure(profile: "F9", metric: "retry.attempts", value: 3),
        Figure(profile: "F9", metric: "retry.amplification", value: 3),
        Figure(profile: "F9", metric: "user.wait_s", value: 10),
        // 1,000 commits of 2 ms; the log's header and its restart add a few.
        Figure(profile: "F18-wal", metric: "user.wait_s", value: 2.0, tolerance: 0.02),
        Figure(
            profile: "F18-one-transaction",
            metric: "user.wait_s",
            value: 0.002,
            tolerance: 0.000_02
        ),
        // 4 syncs a commit.
        Figure(profile: "F18-delete", metric: "user.wait_s", value: 8.0, tolerance: 0.08),
        // 200 or 20 bitmaps of 2.6 MB.
        Figure(profile: "F16-not-cancelled", metric: "image.decoded_total_bytes", value: 520e6),
        Figure(profile: "F16-cancelled", metric: "image.decoded_total_bytes", value: 52e6),
        // 8 ms of 12.5 and of 6.25; 100 ms are 12 periods of 8,333,334 ns but for 8 ns.
        Figure(profile: "F17-60hz", metric: "frames.dropped", value: 0),
        Figure(profile: "F17-120hz", metric: "frames.dropped", value: 121),
        Figure(profile: "F17-block", metric: "frames.dropped", value: 12),
        // 8 x 200 kB and 8 x 50 kB.
        Figure(profile: "F19-originals", metric: "network.down_bytes", value: 1.6e6),
        Figure(profile: "F19-variants", metric: "network.down_bytes", value: 0.4e6),
    ]

    @Test(arguments: figures)
    func `a textbook figure comes out as derived`(figure: Figure) throws {
        let run = try LabRuns.run(LabRuns.scenario("textbook/\(figure.profile)"))
        #expect(run.verdict.outcome == .pass, "\(run.verdict.reasons)")
        let summary = MetricSummary.all(of: run.seeds).first { $0.name.text == figure.metric }
        let value = try #require(summary?[figure.statistic ?? .mean])
        // Seconds are nanoseconds in floating point: the last digit may differ.
        #expect(abs(value - figure.value) <= max(figure.tolerance, 1e-9))
    }
}
