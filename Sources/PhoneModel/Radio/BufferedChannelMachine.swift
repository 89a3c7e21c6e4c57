import Quantities
import Trace

/// The machine of `BufferedChannelParameters`: 3G as EnergyBox infers it (research notes A.9).
final class BufferedChannelMachine {
    private enum Index {
        static let idle = 0
        static let promotion = 1
        static let fach = 2
        static let dch = 3
        static let fachTail = 4
        static let dchTail = 5
    }

    private enum State {
        case idle
        case fach
        case dch
    }

    private let parameters: BufferedChannelParameters
    private let edges: RadioEdges
    private let dchTimer: RadioTime
    private let fachTimer: RadioTime
    private var held = HeldRanges()
    private var state = State.idle
    private var last = RadioTime.zero
    private var lastUp = RadioTime.zero
    private var lastDown = RadioTime.zero
    private var up: Int64 = 0
    private var down: Int64 = 0
    private var hasBegun = false
    /// A large uplink packet came from idle: DCH begins this late unless the next packet is sooner.
    private var pendingDch: RadioTime?

    init(_ parameters: BufferedChannelParameters, edges: RadioEdges) {
        self.parameters = parameters
        self.edges = edges
        dchTimer = RadioTime(parameters.dchTimer)
        fachTimer = RadioTime(parameters.fachTimer)
    }

    func take(_ use: RadioUse, _ ledger: inout RadioLedger) {
        let time = use.start
        if !hasBegun {
            (lastUp, lastDown) = (time, time)
            add(Index.idle, from: .zero, to: time)
        } else {
            drawGap(to: time, isOver: false)
        }
        hasBegun = true
        held.flush(&ledger, edges: edges)
        decide(use)
        if use.direction == .up { lastUp = time } else { lastDown = time }
        last = time
        held.note(use, commitment: commitment)
    }

    func finish(at end: RadioTime, _ ledger: inout RadioLedger) {
        if hasBegun {
            drawGap(to: end, isOver: true)
        } else {
            add(Index.idle, from: .zero, to: end)
        }
        held.finish(&ledger, edges: edges)
    }

    func phase(
        at time: RadioTime,
        _ direction: PacketDirection,
        bytes: Int64
    ) -> RadioPhase {
        let gap = time - last
        var now = hasBegun ? state : .idle
        var name = now == .dch ? Index.dch : now == .fach ? Index.fach : Index.idle
        if now == .dch, edges.isLess(dchTimer, gap) {
            now = edges.isLess(dchTimer + fachTimer, gap) ? .idle : .fach
            name = now == .idle ? Index.idle : Index.fachTail
        } else if now == .fach, edges.isLess(fachTimer, gap) {
            now = .idle
            name = Index.idle
        }
        switch now {
        case .dch:
            return RadioPhase(state: name)
        case .fach:
            let threshold =
                direction == .up ? parameters.uplinkFromFach : parameters.downlinkFromFach
            guard bytes > threshold else { return RadioPhase(state: name) }
            return RadioPhase(state: name, wait: parameters.fachToDch, promotion: Index.fach)
        case .idle:
            let isLarge = self.isLarge(direction, bytes)
            return RadioPhase(
                state: name,
                wait: isLarge ? parameters.idleToDch : parameters.idleToFach,
                promotion: Index.promotion,
                isSeenBeforehand: isLarge && direction == .up
            )
        }
    }

    /// Whether a packet goes from idle to DCH at once.
    private func isLarge(_ direction: PacketDirection, _ bytes: Int64) -> Bool {
        bytes > (direction == .up ? parameters.uplinkFromIdle : parameters.downlinkFromIdle)
    }

    private func add(_ index: Int, from start: RadioTime, to end: RadioTime) {
        held.ranges.append(RadioRange(state: index, start: start, end: edges.later(start, end)))
    }

    /// Draws from the last packet to `time`, with the timers that run out in between.
    private func drawGap(to time: RadioTime, isOver: Bool) {
        var start = last
        if let begin = pendingDch {
            let promoted = edges.isLess(begin, time) ? begin : start
            if edges.isLess(start, promoted) { add(Index.promotion, from: start, to: promoted) }
            start = promoted
        }
        pendingDch = nil
        let dchEnd = last + dchTimer
        switch state {
        case .dch:
            guard edges.isLess(dchTimer, time - last) else {
                add(isOver ? Index.dchTail : Index.dch, from: start, to: time)
                return
            }
            add(Index.dchTail, from: start, to: dchEnd)
            drawFachTail(from: dchEnd, to: time, isOver: isOver)
        case .fach:
            drawFachTail(from: last, to: time, isOver: isOver)
        case .idle:
            add(Index.idle, from: start, to: time)
        }
    }

    private func drawFachTail(from start: RadioTime, to time: RadioTime, isOver: Bool) {
        let end = start + fachTimer
        guard edges.isLess(end, time) else {
            add(state == .fach && !isOver ? Index.fach : Index.fachTail, from: start, to: time)
            state = .fach
            return
        }
        add(Index.fachTail, from: start, to: end)
        add(Index.idle, from: end, to: time)
        state = .idle
    }

    private func decide(_ use: RadioUse) {
        let isUp = use.direction == .up
        switch state {
        case .idle:
            add(Index.promotion, from: use.start, to: use.start)
            guard isLarge(use.direction, use.bytes) else {
                state = .fach
                return
            }
            state = .dch
            if isUp { pendingDch = use.start + RadioTime(parameters.idleToDch) }
        case .fach:
            let drain = RadioTime(
                nanoseconds: parameters.uplinkDrainPerByte.wholeNanoseconds * up
                    + parameters.uplinkDrainConstant.wholeNanoseconds
            )
            if edges.isLess(drain, use.start - lastUp) { up = 0 }
            if edges.isLess(RadioTime(parameters.downlinkDrain), use.start - lastDown) { down = 0 }
            if isUp { up += use.bytes } else { down += use.bytes }
            let isFull =
                isUp ? up > parameters.uplinkFromFach : down > parameters.downlinkFromFach
            guard isFull else { return }
            state = .dch
            if isUp { up = 0 } else { down = 0 }
        case .dch:
            up = 0
            down = 0
        }
    }

    private var commitment: Energy {
        let fachTail = parameters.fachPower.energy(over: parameters.fachTimer)
        guard state == .dch else { return fachTail }
        let wait = pendingDch.map { ($0 - last).nanoseconds } ?? 0
        let onDch = Duration.nanoseconds(parameters.dchTimer.wholeNanoseconds - wait)
        return parameters.dchPower.energy(over: onDch) + fachTail
            + parameters.idlePower.energy(over: .nanoseconds(wait))
    }
}
