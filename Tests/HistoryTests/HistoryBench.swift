import Budgets
import Foundation
import Measurements
import Quantities

@testable import History

/// A folder for one test's archives, removed with it.
final class HistoryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("onebar-history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }
}

/// A run of three seeds whose energy is `joules` + seed, with a budget and, if asked, a breach.
func exampleRun(joules: Double, breaks: Bool = false, profile: String = "commute") throws
    -> ProfileRun
{
    let seeds: [SeedResult] = (1...3 as ClosedRange<UInt64>).map { seed in
        let breach = GuaranteeBreach(
            guarantee: .exactlyOnce,
            seed: seed,
            instant: .zero + .seconds(12),
            device: 0,
            subject: "m7",
            entity: "c1",
            owner: "message.send",
            message: "message 'm7' took effect twice"
        )
        return SeedResult(
            seed: seed,
            mode: "virtual",
            metrics: [
                MetricReading(MetricName("radio.energy_j"), joules + Double(seed)),
                MetricReading(
                    MetricName("outbox.promise_to_ack_s"),
                    samples: [0.5, Double(seed)]
                ),
            ],
            breaches: breaks && seed == 2 ? [breach] : [],
            fingerprint: "00000000000000a\(seed)",
            virtualEnd: .zero + .seconds(2_100)
        )
    }
    let rule = BudgetRule(
        metric: MetricName("radio.energy_j"),
        statistic: .p95,
        comparison: .atMost,
        limit: .fixed(100),
        text: "p95 <= 100J"
    )
    return ProfileRun(
        profile: profile,
        mode: "virtual",
        radios: [],
        seeds: seeds,
        rules: [rule]
    )
}

func context(_ commit: String) -> HistoryContext {
    HistoryContext(
        commit: commit,
        branch: "main",
        recordedAt: "2026-11-30T04:20:00Z",
        toolVersion: "0.1.0"
    )
}
