import Quantities
import Trace

/// Counts what became of each declared fault in one seed.
package final class FaultLedger: ObservationSink {
    private var accounts: [FaultAccount]

    /// Makes a ledger of faults by `names`, as the profile lists them.
    ///
    /// `skipped` gives the reason for each fault, by index, that the lab left out of the run.
    package init(names: [String], skipped: [Int: String] = [:]) {
        accounts = names.enumerated().map { index, name in
            FaultAccount(index: index, name: name, skipped: skipped[index])
        }
    }

    /// Takes in one record.
    package func observe(_ record: TraceRecord) {
        guard case .fault(let index, let event) = record.observation else { return }
        precondition(
            accounts.indices.contains(index),
            "fault \(index) was observed, and \(accounts.count) are declared"
        )
        switch event {
        case .fired(let detail):
            if accounts[index].fired == 0 { accounts[index].detail = detail }
            accounts[index].fired += 1
        case .absorbed(let reason):
            if accounts[index].fired + accounts[index].absorbed == 0 {
                accounts[index].detail = reason
            }
            accounts[index].absorbed += 1
        case .healed:
            return
        }
    }

    /// Nothing is left to do at the end.
    package func finish(at end: SimulationInstant) {}

    /// The account of each fault, by index.
    package var result: [FaultAccount] { accounts }
}
