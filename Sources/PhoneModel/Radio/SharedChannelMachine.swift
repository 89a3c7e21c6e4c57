import Quantities
import Trace

/// The machine of `SharedChannelParameters`: what a capture tells about DCH and FACH.
///
/// The rules are those of the published tool (research notes A.5): the state is kept on the previous
/// packet, and each packet decides what lay between. An uplink packet is seen before the promotion
/// that it causes, a downlink packet after it.
final class SharedChannelMachine {
    /// State numbers, as `SharedChannelParameters.states` has them.
    enum Index {
        static let idle = 0
        static let idlePromotion = 1
        static let fachPromotion = 2
        static let dch = 3
        static let fach = 4
        static let dchTail = 5
        static let fachTail = 6
    }

    private enum State: Equatable {
        case idlePromotion
        case fachPromotion
        case dch
        case fach
    }

    let parameters: SharedChannelParameters
    let edges: RadioEdges
    /// Whether a promotion that is inferred backwards ends at the previous packet at the latest;
    /// the published tool lets it run on, so that ranges overlap or leave a hole.
    let clampsWalkBack: Bool
    /// Whether ranges are handed to the ledger as soon as they are sure.
    let flushes: Bool
    var held = HeldRanges()

    private var state = State.idlePromotion
    private var timer = RadioTime.zero
    private var previous: RadioTime?
    private var fachQueue = FachQueue()
    private var dchQueue = DchQueue()
    /// Packets since the radio came to FACH, and whether they went up; not the very first of all.
    private var fachPackets: [(time: RadioTime, isUp: Bool)] = []

    private let idlePromotion: PromotionSpan
    private let fachPromotion: PromotionSpan
    private let dchTimer: RadioTime
    private let fachTimer: RadioTime
    private static let epsilon = RadioTime(nanoseconds: 10_000)

    struct PromotionSpan {
        let least: RadioTime
        let mean: RadioTime
        let most: RadioTime
        let state: Int

        init(_ promotion: SharedChannelParameters.Promotion, state: Int) {
            least = RadioTime(promotion.least)
            mean = RadioTime(promotion.mean)
            most = RadioTime(promotion.most)
            self.state = state
        }
    }

    init(
        _ parameters: SharedChannelParameters,
        edges: RadioEdges,
        clampsWalkBack: Bool = true,
        flushes: Bool = true
    ) {
        self.parameters = parameters
        self.edges = edges
        self.clampsWalkBack = clampsWalkBack
        self.flushes = flushes
        idlePromotion = PromotionSpan(parameters.idlePromotion, state: Index.idlePromotion)
        fachPromotion = PromotionSpan(parameters.fachPromotion, state: Index.fachPromotion)
        dchTimer = RadioTime(parameters.dchTimer)
        fachTimer = RadioTime(parameters.fachTimer)
    }

    func take(_ use: RadioUse, _ ledger: inout RadioLedger) {
        step(to: use)
        held.note(use, commitment: commitment)
        guard flushes else { return }
        if state == .idlePromotion || state == .dch, held.ranges.count > 1 {
            let sure = state == .dch ? dchQueue.reset : use.start
            held.flush(&ledger, edges: edges, through: sure)
        }
    }

    func finish(at end: RadioTime, _ ledger: inout RadioLedger) {
        close(at: end)
        held.finish(&ledger, edges: edges)
    }

    /// Closes the tails as a last packet at the end of time would, and cuts at `end`.
    func close(at end: RadioTime) {
        if previous != nil {
            let far = RadioTime(nanoseconds: .max / 4, seconds: Double(Int64.max / 4) / 1e9)
            step(to: RadioUse(at: far, .up, bytes: 0, owner: RadioLedger.idleOwner))
        } else {
            add(Index.idle, from: .zero, for: end, until: end)
        }
        guard flushes else { return }
        held.ranges.removeAll { !edges.isLess($0.start, end) }
        if let last = held.ranges.indices.last, edges.isLess(end, held.ranges[last].end) {
            held.ranges[last].end = end
        }
    }

    /// Energy still to be drawn if no other packet comes.
    private var commitment: Energy {
        let fachTail = parameters.fachPower.energy(over: parameters.fachTimer)
        let dchTail = parameters.dchPower.energy(over: parameters.dchTimer)
        switch state {
        case .fach:
            return fachTail
        case .dch:
            return parameters.dchPower.energy(over: .nanoseconds(dchRest.nanoseconds)) + fachTail
        case .idlePromotion:
            let rest = (idlePromotion.mean - timer).nanoseconds
            return parameters.idlePromotion.power.energy(over: .nanoseconds(max(0, rest)))
                + dchTail + fachTail
        case .fachPromotion:
            let rest = (fachPromotion.mean - timer).nanoseconds
            return parameters.fachPromotion.power.energy(over: .nanoseconds(max(0, rest)))
                + dchTail + fachTail
        }
    }

    /// What is left of the DCH timer at the last packet.
    private var dchRest: RadioTime { dchTimer - (dchQueue.last - dchQueue.reset) }
}

extension SharedChannelMachine {
    @discardableResult
    private func add(
        _ state: Int,
        from start: RadioTime,
        for span: RadioTime,
        until limit: RadioTime
    ) -> RadioTime {
        guard edges.isLess(start, limit), edges.isLess(.zero, span) else { return start }
        let end = edges.earlier(start + span, limit)
        held.ranges.append(RadioRange(state: state, start: start, end: end))
        return end
    }

    @discardableResult
    private func add(
        _ state: Int,
        from start: RadioTime,
        until limit: RadioTime
    ) -> RadioTime {
        guard edges.isLess(start, limit) else { return start }
        held.ranges.append(RadioRange(state: state, start: start, end: limit))
        return limit
    }

    private func enter(_ new: State, with use: RadioUse) {
        if new == .fach {
            if state != .fach { fachPackets.removeAll(keepingCapacity: true) }
            fachPackets.append((use.start, use.direction == .up))
        } else if new == .dch {
            dchQueue.begin(use)
        } else {
            timer = .zero
        }
        state = new
    }

    private func step(to use: RadioUse) {
        let time = use.start
        guard let before = previous else {
            add(Index.idle, from: .zero, until: time)
            state = .idlePromotion
            timer = .zero
            previous = time
            return
        }
        switch state {
        case .idlePromotion: stepFromPromotion(idlePromotion, before, use)
        case .fachPromotion: stepFromPromotion(fachPromotion, before, use)
        case .dch: stepFromDch(before, use)
        case .fach: stepFromFach(before, use)
        }
        previous = time
    }

    private func stepFromPromotion(
        _ span: PromotionSpan,
        _ before: RadioTime,
        _ use: RadioUse
    ) {
        let time = use.start
        let spent = timer + (time - before)
        let rest = span.mean - timer
        if !edges.isLess(span.least, spent) {
            add(span.state, from: before, until: time)
            timer = spent
        } else if !edges.isLess(span.most, spent) {
            add(span.state, from: before, until: time)
            enter(.dch, with: use)
        } else if !edges.isLess(span.mean + dchTimer, spent) {
            let end = add(span.state, from: before, for: rest, until: time)
            add(Index.dch, from: end, until: time)
            enter(.dch, with: use)
        } else if !edges.isLess(span.mean + dchTimer + fachTimer, spent) {
            fallToFach(use) { machine, limit in
                let end = machine.add(span.state, from: before, for: rest, until: limit)
                return machine.add(
                    Index.dchTail,
                    from: end,
                    for: machine.dchTimer,
                    until: limit
                )
            }
        } else {
            fallToIdle(use) { machine, limit in
                var end = machine.add(span.state, from: before, for: rest, until: limit)
                end = machine.add(Index.dchTail, from: end, for: machine.dchTimer, until: limit)
                return machine.add(
                    Index.fachTail,
                    from: end,
                    for: machine.fachTimer,
                    until: limit
                )
            }
        }
    }

    private func stepFromDch(_ before: RadioTime, _ use: RadioUse) {
        let time = use.start
        let gap = time - before
        let tail = dchRest
        if !edges.isLess(tail + Self.epsilon, gap) {
            add(Index.dch, from: before, until: time)
            dchQueue.add(use, parameters, edges)
            return
        }
        relabelBack(dchTimer - tail)
        if !edges.isLess(tail + fachTimer, gap) {
            fallToFach(use) { machine, limit in
                machine.add(Index.dchTail, from: before, for: tail, until: limit)
            }
        } else {
            fallToIdle(use) { machine, limit in
                let end = machine.add(Index.dchTail, from: before, for: tail, until: limit)
                return machine.add(
                    Index.fachTail,
                    from: end,
                    for: machine.fachTimer,
                    until: limit
                )
            }
        }
    }

    private func stepFromFach(_ before: RadioTime, _ use: RadioUse) {
        let time = use.start
        guard !edges.isLess(fachTimer, time - before) else {
            fallToIdle(use) { machine, limit in
                machine.add(Index.fachTail, from: before, for: machine.fachTimer, until: limit)
            }
            return
        }
        let promotes = fachQueue.add(use, parameters, edges)
        if use.direction == .up {
            add(Index.fach, from: before, until: time)
            enter(promotes ? .fachPromotion : .fach, with: use)
            return
        }
        guard promotes else {
            add(Index.fach, from: before, until: time)
            enter(.fach, with: use)
            return
        }
        for span in [fachPromotion.mean, fachPromotion.least] {
            let start = time - span
            guard edges.isLess(before, start) else { continue }
            add(Index.fach, from: before, until: start)
            add(Index.fachPromotion, from: start, until: time)
            enter(.dch, with: use)
            return
        }
        promoteInHindsight(before, use)
        enter(.dch, with: use)
    }

    /// The downlink packet came too soon for a promotion of its own: an earlier uplink one began it.
    private func promoteInHindsight(_ before: RadioTime, _ use: RadioUse) {
        let time = use.start
        let cause = fachPackets.last { packet in
            packet.isUp && !edges.isLess(time, packet.time + fachPromotion.least)
        }
        guard let cause else {
            add(Index.fach, from: before, until: time)
            fachQueue.clear()
            return
        }
        if let index = held.ranges.firstIndex(where: { $0.start == cause.time }),
            index > 0 || isHeldPartially
        {
            held.ranges.removeSubrange(index...)
        }
        let whole = cause.time + fachPromotion.mean
        var end = edges.isLess(time, whole) ? cause.time + fachPromotion.least : whole
        if clampsWalkBack { end = edges.earlier(end, edges.later(before, cause.time)) }
        held.ranges.append(
            RadioRange(state: Index.fachPromotion, start: cause.time, end: end)
        )
        if !clampsWalkBack || edges.isLess(end, before) {
            held.ranges.append(RadioRange(state: Index.dch, start: end, end: before))
        }
        add(Index.dch, from: before, until: time)
    }

    /// Whether ranges before the held ones have been drawn, so that the first held is not the first.
    private var isHeldPartially: Bool { flushes }

    private func fallToFach(
        _ use: RadioUse,
        _ tails: (SharedChannelMachine, RadioTime) -> RadioTime
    ) {
        let time = use.start
        fachQueue.clear()
        let promotes = fachQueue.add(use, parameters, edges)
        let waits = promotes && use.direction == .down
        let limit = waits ? time - fachPromotion.mean : time
        let end = tails(self, limit)
        add(Index.fach, from: end, until: limit)
        if waits {
            add(Index.fachPromotion, from: limit, until: time)
            enter(.dch, with: use)
        } else {
            enter(promotes ? .fachPromotion : .fach, with: use)
        }
    }

    private func fallToIdle(
        _ use: RadioUse,
        _ tails: (SharedChannelMachine, RadioTime) -> RadioTime
    ) {
        let time = use.start
        let limit = use.direction == .up ? time : time - idlePromotion.mean
        let end = tails(self, limit)
        add(Index.idle, from: end, until: limit)
        if use.direction == .up {
            enter(.idlePromotion, with: use)
        } else {
            add(Index.idlePromotion, from: edges.later(end, limit), until: time)
            enter(.dch, with: use)
        }
    }

    /// Renames the newest ranges to the DCH tail, whole ones, until `span` is used up.
    private func relabelBack(_ span: RadioTime) {
        var rest = span
        var index = held.ranges.count - 1
        while index >= 0, !edges.isLess(rest, Self.epsilon) {
            let length = held.ranges[index].end - held.ranges[index].start
            held.ranges[index].state = Index.dchTail
            rest = rest - length
            index -= 1
        }
    }
}

extension SharedChannelMachine {
    /// The state that the radio is in at `time`, and what a packet that is handed over then meets.
    func phase(at time: RadioTime, _ direction: PacketDirection, bytes: Int64) -> RadioPhase {
        let index = stateIndex(at: time)
        switch index {
        case Index.idle:
            return RadioPhase(
                state: index,
                wait: parameters.idlePromotion.mean,
                promotion: Index.idlePromotion,
                isSeenBeforehand: direction == .up
            )
        case Index.fach, Index.fachTail:
            guard asksForDch(at: time, direction, bytes: bytes) else {
                return RadioPhase(state: index)
            }
            return RadioPhase(
                state: index,
                wait: parameters.fachPromotion.mean,
                promotion: Index.fachPromotion,
                isSeenBeforehand: direction == .up
            )
        default:
            return RadioPhase(state: index)
        }
    }

    /// A downlink packet asks by its own size: what is queued before it crosses on FACH meanwhile.
    private func asksForDch(
        at time: RadioTime,
        _ direction: PacketDirection,
        bytes: Int64
    ) -> Bool {
        guard direction == .up else { return bytes > parameters.downlinkThreshold }
        var queue = state == .fach ? fachQueue : FachQueue()
        let use = RadioUse(at: time, direction, bytes: bytes, owner: RadioLedger.idleOwner)
        return queue.add(use, parameters, edges)
    }

    private func stateIndex(at time: RadioTime) -> Int {
        guard let before = previous else { return Index.idle }
        let gap = time - before
        switch state {
        case .fach:
            return edges.isLess(fachTimer, gap) ? Index.idle : Index.fach
        case .dch:
            return afterDch(gap - dchRest, on: Index.dch)
        case .idlePromotion, .fachPromotion:
            let span = state == .idlePromotion ? idlePromotion : fachPromotion
            let spent = timer + gap
            if edges.isLess(spent, span.mean) { return span.state }
            return afterDch(spent - span.mean - dchTimer, on: Index.dchTail)
        }
    }

    private func afterDch(_ excess: RadioTime, on index: Int) -> Int {
        if !edges.isLess(Self.epsilon, excess) { return index }
        return edges.isLess(fachTimer, excess) ? Index.idle : Index.fachTail
    }
}
