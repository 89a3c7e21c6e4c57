import PhoneModel
import Quantities
import Trace

/// Sums the stretches of one radio by state and by owner.
struct LedgerFold {
    private(set) var counts: [Int]
    private(set) var spans: [Int64]
    private(set) var energies: [Energy]
    private(set) var owners: [Energy]
    private(set) var tails: [Energy]
    private(set) var promotions = 0
    private let states: [RadioState]

    init(_ model: RadioModel, owners count: Int) {
        states = model.states
        counts = Array(repeating: 0, count: states.count)
        spans = Array(repeating: 0, count: states.count)
        energies = Array(repeating: .zero, count: states.count)
        owners = Array(repeating: .zero, count: count)
        tails = owners
    }

    mutating func add(_ stretch: RadioStretch) {
        counts[stretch.state] += 1
        spans[stretch.state] += stretch.end.nanoseconds - stretch.start.nanoseconds
        energies[stretch.state] += stretch.energy
        let kind = states[stretch.state].kind
        if kind == .promotion { promotions += 1 }
        for share in stretch.shares where share.owner >= 0 {
            owners[Int(share.owner)] += share.energy
            if kind == .tail { tails[Int(share.owner)] += share.energy }
        }
    }

    /// The totals by state; states that never occurred are left out.
    func totals(radio: String) -> [CaptureReport.StateTotal] {
        states.indices.filter { counts[$0] > 0 }.map { index in
            CaptureReport.StateTotal(
                radio: radio,
                state: states[index].name,
                kind: states[index].kind,
                count: counts[index],
                seconds: Double(spans[index]) / 1e9,
                joules: energies[index].inJoules
            )
        }
    }
}
