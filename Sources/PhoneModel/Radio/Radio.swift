import Quantities
import SimulationKernel
import Trace

/// A radio of a simulated phone: makes packets wait for promotions, and reports what it draws.
///
/// Without ticks: what lay between two packets is drawn when the second one crosses, so an interval
/// is reported when the next use, or the end of the run, shows that it is over.
package final class Radio {
    /// What kind of radio it is.
    package let model: RadioModel
    /// Sums over the intervals reported so far; call `finish(at:)` before reading totals.
    package private(set) var counters = RadioCounters()

    private let simulation: Simulation
    private let stream: ObservationStream
    private let device: Int
    private let engine: RadioEngine
    private let states: [RadioState]
    /// How long the radio stays up after a promotion that no packet has followed yet.
    private let hold: Duration
    private var owners: [String] = []
    private var ownerNumbers: [String: Int32] = [:]
    /// Whose packet came last: its neighbours are often the same owner's.
    private var lastOwner: (name: String, number: Int32) = ("", -1)
    private var ownerEnergies: [Energy] = []
    private var promotionEnd: SimulationInstant?
    private var promotionState = 0
    private var seenBeforehand: [HandOver] = []
    private var lastCrossing: SimulationInstant?
    private var lastSeenBeforehand: (size: Int, at: SimulationInstant, crossing: SimulationInstant)?

    /// A packet that a capture shows when it was handed over.
    private struct HandOver {
        let size: Int
        let at: SimulationInstant
        let until: SimulationInstant
    }

    /// Makes a radio that is idle at the beginning of the world.
    package init(
        _ model: RadioModel,
        simulation: Simulation,
        stream: ObservationStream,
        device: Int = 0
    ) {
        self.model = model
        self.simulation = simulation
        self.stream = stream
        self.device = device
        engine = RadioEngine(model)
        states = model.states
        hold = engine.hold
    }

    /// The earliest instant at which a packet that is handed over now may cross the air.
    ///
    /// The packet that finds the radio asleep starts a promotion; those after it wait for its end.
    package func readiness(
        _ direction: PacketDirection,
        size: Int,
        owner: String,
        at instant: SimulationInstant
    ) -> SimulationInstant {
        if let end = promotionEnd {
            if instant < end { return end }
            if isHeld(at: instant, since: end) { return instant }
        }
        let time = RadioTime(instant)
        let phase = engine.phase(at: time, direction, bytes: Int64(size))
        guard phase.wait > .zero else { return instant }
        let end = instant + phase.wait
        promotionEnd = end
        promotionState = phase.promotion
        if phase.isSeenBeforehand {
            let number = self.number(of: owner)
            engine.take(RadioUse(at: time, direction, bytes: Int64(size), owner: number))
            report()
            seenBeforehand.append(HandOver(size: size, at: instant, until: end + .seconds(10)))
        }
        return end
    }

    /// A packet crosses the air: its last bit leaves or reaches the phone now.
    package func crossed(
        _ direction: PacketDirection,
        size: Int,
        owner: String,
        at instant: SimulationInstant
    ) {
        lastCrossing = instant
        if !seenBeforehand.isEmpty { seenBeforehand.removeAll { $0.until < instant } }
        if direction == .up, let index = seenBeforehand.firstIndex(where: { $0.size == size }) {
            let handOver = seenBeforehand.remove(at: index)
            lastSeenBeforehand = (size, handOver.at, instant)
            return
        }
        let use = RadioUse(
            at: RadioTime(instant),
            direction,
            bytes: Int64(size),
            owner: number(of: owner)
        )
        engine.take(use)
        report()
    }

    /// When a capture at the modem shows an uplink packet that crosses at `instant`.
    ///
    /// The instant itself, but for a packet that caused a 3G promotion: its hand-over. To be asked
    /// right after `crossed`.
    package func captureInstant(
        _ direction: PacketDirection,
        size: Int,
        crossingAt instant: SimulationInstant
    ) -> SimulationInstant {
        guard direction == .up, let last = lastSeenBeforehand, last.crossing == instant,
            last.size == size
        else { return instant }
        return last.at
    }

    /// Declares activity without packets: it draws the active power from `start` to `end`.
    ///
    /// For textbook figures and for traffic of other apps. `start` must not be past. A radio whose
    /// states follow buffers knows no activity: it gets 1,400 bytes from the network every 100 ms
    /// instead (assumption: a steady download, which keeps the dedicated channel).
    package func declareActivity(
        owner: String,
        from start: SimulationInstant,
        to end: SimulationInstant
    ) {
        precondition(end >= start, "activity from \(start) to \(end) ends before it begins")
        let number = self.number(of: owner)
        guard case .chain = model.machine else {
            return declarePackets(number, from: start, to: end)
        }
        simulation.scheduleUnowned(at: start) { [self] in
            engine.take(
                RadioUse(
                    from: RadioTime(start),
                    to: RadioTime(end),
                    .up,
                    bytes: 0,
                    owner: number
                )
            )
            report()
        }
    }

    private func declarePackets(
        _ owner: Int32,
        from start: SimulationInstant,
        to end: SimulationInstant
    ) {
        simulation.scheduleUnowned(at: start) { [self] in
            engine.take(RadioUse(at: RadioTime(start), .down, bytes: 1_400, owner: owner))
            report()
            let next = min(start + .milliseconds(100), end)
            if next > start { declarePackets(owner, from: next, to: end) }
        }
    }

    /// The state that the radio is in now.
    package var currentState: RadioState {
        let now = simulation.instant
        if let end = promotionEnd {
            if now < end { return states[promotionState] }
            if isHeld(at: now, since: end) {
                return states.first { $0.kind == .active } ?? states[0]
            }
        }
        return states[engine.phase(at: RadioTime(now), .up, bytes: 0).state]
    }

    /// Energy by owner so far, in the order in which owners first appeared; idle draw is left out.
    package var energyByOwner: [(owner: String, energy: Energy)] {
        zip(owners, ownerEnergies).map { ($0, $1) }
    }

    /// The run is over: reports what is left, with tails cut at `end`.
    package func finish(at end: SimulationInstant) {
        engine.finish(at: RadioTime(end))
        report()
    }

    /// Whether the radio is up because of a promotion whose packet is still being clocked out.
    private func isHeld(at instant: SimulationInstant, since end: SimulationInstant) -> Bool {
        if let lastCrossing, lastCrossing >= end { return false }
        return instant <= end + hold
    }

    private func number(of owner: String) -> Int32 {
        if owner == lastOwner.name, lastOwner.number >= 0 { return lastOwner.number }
        if let known = ownerNumbers[owner] {
            lastOwner = (owner, known)
            return known
        }
        let number = Int32(owners.count)
        owners.append(owner)
        ownerEnergies.append(.zero)
        ownerNumbers[owner] = number
        return number
    }

    private func report() {
        for stretch in engine.takeClosed() {
            let state = states[stretch.state]
            let start = SimulationInstant(nanoseconds: stretch.start.nanoseconds)
            let end = SimulationInstant(nanoseconds: stretch.end.nanoseconds)
            counters.add(state.kind, span: end - start, energy: stretch.energy)
            for share in stretch.shares where share.owner >= 0 {
                ownerEnergies[Int(share.owner)] += share.energy
            }
            let shares = stretch.shares.map { share in
                RadioInterval.Share(
                    owner: share.owner < 0 ? Self.idleOwner : owners[Int(share.owner)],
                    energy: share.energy
                )
            }
            stream.report(
                .radioInterval(
                    RadioInterval(
                        radio: model.name,
                        start: start,
                        end: end,
                        state: state.name,
                        kind: state.kind,
                        energy: stretch.energy,
                        shares: shares
                    )
                ),
                at: simulation.instant,
                device: device
            )
        }
    }

    /// The owner of what is drawn while nobody keeps the radio up.
    package static let idleOwner = "idle"
}
