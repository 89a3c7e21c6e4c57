import PhoneModel
import Quantities

/// Finds what an app's operations could do better on one radio: the search of `analyze`, by operation.
package struct OperationAdvice {
    /// Packets that the search may run over in all, for each radio.
    private static let effort = 300_000

    private let owners: [String]
    private let others: Set<String>

    /// Makes a search; `others` are owners that the app cannot move, only ride on.
    package init(owners: [String], others: Set<String>) {
        self.owners = owners
        self.others = others
    }

    /// The best changes of what crossed one radio, largest first.
    package func find(in traffic: Traffic, on radio: RadioModel, most: Int) -> [CaptureAdvice] {
        guard !traffic.packets.isEmpty else { return [] }
        let exact = StateAnalysis(radio)
        let found = BurstAnalysis.bursts(
            traffic.packets,
            promotions: exact.burstPromotions(traffic)
        )
        var energies = BurstEnergies(found, model: radio)
        exact.forEachStretch(traffic) { energies.add($0) }
        let marking = PeriodMarking(
            energies.bursts.map { burst in
                CaptureReport.BurstCost(
                    burst: burst,
                    host: owners[Int(traffic.packets[burst.first].owner)]
                )
            },
            namesHosts: true
        )
        return AdviceSearch(
            model: radio,
            traffic: traffic,
            bursts: marking.bursts,
            periods: marking.periods.filter { !others.contains($0.host) },
            subject: .operation,
            fixed: others,
            budget: Self.effort
        ).find(most: most)
    }
}
