import Quantities
import SimulationKernel
import Trace

/// Which of a phone's radios.
package enum RadioInterface: String, Sendable, CaseIterable {
    case cellular
    case wifi
}

/// The radios of one phone; packets go to the one that is selected, the other keeps its tail.
package final class RadioSet {
    /// The cellular radio, if there is one.
    package let cellular: Radio?
    /// The Wi-Fi radio, if there is one.
    package let wifi: Radio?
    /// Where packets go.
    package private(set) var selected: RadioInterface

    /// Makes a set; traps if the selected radio is missing.
    package init(cellular: Radio?, wifi: Radio?, selected: RadioInterface = .cellular) {
        self.cellular = cellular
        self.wifi = wifi
        self.selected = selected
        precondition(radio(selected) != nil, "the phone has no \(selected.rawValue) radio")
    }

    /// The radio of an interface.
    package func radio(_ interface: RadioInterface) -> Radio? {
        interface == .cellular ? cellular : wifi
    }

    /// Moves traffic to another radio; traps if it is missing.
    package func select(_ interface: RadioInterface) {
        precondition(radio(interface) != nil, "the phone has no \(interface.rawValue) radio")
        selected = interface
    }

    /// `Radio.readiness` of the selected radio.
    package func readiness(
        _ direction: PacketDirection,
        size: Int,
        owner: String,
        at instant: SimulationInstant
    ) -> SimulationInstant {
        radio(selected)?.readiness(direction, size: size, owner: owner, at: instant) ?? instant
    }

    /// `Radio.crossed` of the selected radio.
    package func crossed(
        _ direction: PacketDirection,
        size: Int,
        owner: String,
        at instant: SimulationInstant
    ) {
        radio(selected)?.crossed(direction, size: size, owner: owner, at: instant)
    }

    /// `Radio.captureInstant` of the selected radio.
    package func captureInstant(
        _ direction: PacketDirection,
        size: Int,
        crossingAt instant: SimulationInstant
    ) -> SimulationInstant {
        radio(selected)?.captureInstant(direction, size: size, crossingAt: instant) ?? instant
    }

    /// Both radios report what is left.
    package func finish(at end: SimulationInstant) {
        cellular?.finish(at: end)
        wifi?.finish(at: end)
    }
}
