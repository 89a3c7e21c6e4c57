import Quantities
import Trace

/// Sums over the closed stretches of one radio.
package struct RadioCounters: Equatable, Sendable {
    /// Everything, idle too.
    package private(set) var energy = Energy.zero
    /// What the tails drew.
    package private(set) var tailEnergy = Energy.zero
    /// What idling drew.
    package private(set) var idleEnergy = Energy.zero
    /// Time in promotions.
    package private(set) var promotionTime = Duration.zero
    /// Time in active states.
    package private(set) var activeTime = Duration.zero
    /// Time in tails.
    package private(set) var tailTime = Duration.zero
    /// Time in idle states.
    package private(set) var idleTime = Duration.zero
    /// Promotions, those from within a tail too.
    package private(set) var promotions = 0
    /// How often the radio came up from idle.
    package private(set) var wakeUps = 0
    private var isUp = false

    /// Makes empty sums.
    package init() {}

    /// Promotion, activity and tail together: `radio.on_s`.
    package var onTime: Duration { promotionTime + activeTime + tailTime }

    /// Adds a stretch of a state of that kind.
    package mutating func add(_ kind: RadioInterval.Kind, span: Duration, energy more: Energy) {
        energy += more
        switch kind {
        case .idle:
            idleTime += span
            idleEnergy += more
        case .promotion:
            promotionTime += span
            promotions += 1
        case .active:
            activeTime += span
        case .tail:
            tailTime += span
            tailEnergy += more
        }
        if kind != .idle && !isUp { wakeUps += 1 }
        isUp = kind != .idle
    }
}
