import Quantities
import Trace

/// The machine of `ChainParameters`: walks from use to use and draws what lies between.
///
/// Promotions are drawn before the packet that ends them, as in a capture: a simulation lets the
/// packet wait first. State numbers: idle 0, promotion 1, active 2, tail steps from 3, then the
/// promotions of those steps that have one.
final class ChainMachine {
    private let parameters: ChainParameters
    private let edges: RadioEdges
    private let bridge: RadioTime
    private let commitment: Energy
    private let durations: [RadioTime]
    private let promotionDelay: RadioTime
    /// The end of the last packet or activity; nil before the first.
    private var last: RadioTime?
    /// Declared activity that is not drawn yet, in order of its end.
    private var segments: [(owner: Int32, end: RadioTime)] = []

    init(_ parameters: ChainParameters, edges: RadioEdges) {
        self.parameters = parameters
        self.edges = edges
        bridge = parameters.tail.prefix { $0.bridges }.reduce(.zero) {
            $0 + RadioTime($1.duration)
        }
        commitment = parameters.tailEnergy
        durations = parameters.tail.map { RadioTime($0.duration) }
        promotionDelay = RadioTime(parameters.promotion.delay)
    }

    func take(_ use: RadioUse, _ ledger: inout RadioLedger) {
        let time = edges.later(use.start, ledger.cursor)
        drawSegments(until: time, &ledger)
        if let last {
            if edges.isLess(bridge, time - last) {
                drawTail(to: time, owner: use.owner, &ledger)
            }
        } else {
            promote(to: time, owner: use.owner, &ledger)
        }
        ledger.draw(2, to: time, payer: use.owner)
        ledger.use(use, commitment: commitment)
        let end = edges.later(time, use.end)
        if let last, !edges.isLess(last, end) { return }
        if edges.isLess(time, end) { segments.append((use.owner, end)) }
        last = end
    }

    func finish(at end: RadioTime, _ ledger: inout RadioLedger) {
        drawSegments(until: end, &ledger)
        if let last {
            guard edges.isLess(last, end) else { return }
            guard drawSteps(to: end, resuming: false, &ledger) == .ended else { return }
        }
        ledger.draw(0, to: end, payer: RadioLedger.idleOwner)
    }

    /// The state that the radio is in at `time`, and how long a packet has to wait then.
    func phase(at time: RadioTime) -> RadioPhase {
        let asleep = RadioPhase(state: 0, wait: parameters.promotion.delay, promotion: 1)
        guard let last else { return asleep }
        guard edges.isLess(last, time) else { return RadioPhase(state: 2) }
        var end = last
        var resumes = 0
        for (index, step) in parameters.tail.enumerated() {
            end = end + durations[index]
            if !edges.isLess(end, time) {
                guard let resume = step.resume else { return RadioPhase(state: 3 + index) }
                return RadioPhase(
                    state: 3 + index,
                    wait: resume.delay,
                    promotion: 3 + parameters.tail.count + resumes
                )
            }
            if step.resume != nil { resumes += 1 }
        }
        return asleep
    }

    private func drawSegments(until end: RadioTime, _ ledger: inout RadioLedger) {
        guard !segments.isEmpty else { return }
        for segment in segments {
            let stop = edges.earlier(segment.end, end)
            guard edges.isLess(ledger.cursor, stop) else { continue }
            ledger.draw(2, to: stop, payer: segment.owner, ownsAll: true)
        }
        segments.removeAll { !edges.isLess(end, $0.end) }
    }

    private func drawTail(to time: RadioTime, owner: Int32, _ ledger: inout RadioLedger) {
        switch drawSteps(to: time, resuming: true, &ledger) {
        case .ended: promote(to: time, owner: owner, &ledger)
        case .cut: break
        case .resumed(let state): ledger.draw(state, to: time, payer: owner)
        }
    }

    private enum TailEnd: Equatable {
        /// All steps are over before the time.
        case ended
        /// The time falls into a step.
        case cut
        /// It falls into a step that needs a promotion, which begins where the drawing stopped.
        case resumed(state: Int)
    }

    private func drawSteps(
        to time: RadioTime,
        resuming: Bool,
        _ ledger: inout RadioLedger
    ) -> TailEnd {
        var start = ledger.cursor
        var resumes = 0
        for (index, step) in parameters.tail.enumerated() {
            let full = start + durations[index]
            let isCut = !edges.isLess(full, time)
            var end = edges.earlier(full, time)
            if let resume = step.resume, resuming, isCut {
                end = edges.later(start, time - RadioTime(resume.delay))
            }
            if edges.isLess(start, end) {
                ledger.draw(3 + index, to: end, payer: RadioLedger.idleOwner)
            }
            if isCut {
                guard step.resume != nil, resuming else { return .cut }
                return .resumed(state: 3 + parameters.tail.count + resumes)
            }
            if step.resume != nil { resumes += 1 }
            start = end
        }
        return .ended
    }

    private func promote(to time: RadioTime, owner: Int32, _ ledger: inout RadioLedger) {
        let start = edges.later(ledger.cursor, time - promotionDelay)
        // The tools list an empty idle range before a first packet at zero, but not before a promotion.
        let isListed = last == nil && parameters.promotion.delay == .zero
        if edges.isLess(ledger.cursor, start) || isListed {
            ledger.draw(0, to: start, payer: RadioLedger.idleOwner)
        }
        ledger.draw(1, to: time, payer: owner)
    }
}
