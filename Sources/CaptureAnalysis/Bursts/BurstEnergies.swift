import PhoneModel
import Quantities
import Trace

/// Spreads stretches over bursts: each burst pays until the next one begins, the first from zero.
///
/// Sums are exact: a stretch that a burst's beginning cuts is split, its transfers at the packets.
struct BurstEnergies {
    private(set) var bursts: [Burst]
    private let states: [RadioState]
    private let activeStates: Set<Int>
    private var current = 0

    init(_ bursts: [Burst], model: RadioModel) {
        self.bursts = bursts
        states = model.states
        activeStates = Set(model.toolActiveStates)
    }

    mutating func add(_ stretch: RadioStretch) {
        guard !bursts.isEmpty else { return }
        let start = stretch.start.nanoseconds
        let end = stretch.end.nanoseconds
        let draw = states[stretch.state].draw
        var rest = stretch.energy
        var from = start
        while current + 1 < bursts.count, bursts[current + 1].start < end {
            let cut = max(from, bursts[current + 1].start)
            let part =
                draw.energy(first: cut - start) - draw.energy(first: from - start)
            charge(min(part, rest), span: cut - from, stretch.state)
            rest -= min(part, rest)
            from = cut
            current += 1
        }
        while current + 1 < bursts.count, bursts[current + 1].start <= from,
            bursts[current + 1].start == end, end == start, stretch.energy > .zero
        {
            current += 1
        }
        charge(rest, span: end - from, stretch.state)
    }

    private mutating func charge(_ energy: Energy, span: Int64, _ state: Int) {
        bursts[current].energy += energy
        if states[state].kind == .tail { bursts[current].tailEnergy += energy }
        if activeStates.contains(state) { bursts[current].active += .nanoseconds(span) }
    }
}

extension RadioModel {
    /// States that the published tools count as active: with them, the first tail is activity.
    var toolActiveStates: [Int] {
        switch machine {
        case .chain(let parameters):
            [2] + parameters.tail.indices.filter { parameters.tail[$0].bridges }.map { 3 + $0 }
        case .sharedChannel:
            states.indices.filter { ["STATE_DCH", "TAIL_DCH"].contains(states[$0].name) }
        case .bufferedChannel, .powerSave:
            states.indices.filter { states[$0].kind == .active }
        }
    }
}

extension StateAnalysis {
    /// The bursts of a trace with their energies; runs the engine twice.
    package func bursts(_ traffic: Traffic) -> [Burst] {
        let packets = TrafficPackets(traffic.packets.filter { $0.time <= traffic.length })
        let found = BurstAnalysis.bursts(packets, promotions: burstPromotions(traffic))
        var energies = BurstEnergies(found, model: model)
        forEachStretch(traffic) { energies.add($0) }
        return energies.bursts
    }

    /// Promotions that the tools take out of gaps: those of 3G.
    func burstPromotions(_ traffic: Traffic) -> [RadioRange] {
        guard case .sharedChannel = model.machine else { return [] }
        let states = model.states
        if mode == .vo46 || mode == .aro411 {
            return toolRanges(traffic).filter { states[$0.state].kind == .promotion }
        }
        var promotions: [RadioRange] = []
        forEachStretch(traffic) { stretch in
            guard states[stretch.state].kind == .promotion else { return }
            promotions.append(
                RadioRange(state: stretch.state, start: stretch.start, end: stretch.end)
            )
        }
        return promotions
    }
}
