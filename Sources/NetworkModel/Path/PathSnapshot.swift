import Quantities
import Trace

/// The way to the internet as it is now: what a path monitor on the phone could tell, and more.
package struct PathSnapshot: Equatable, Sendable {
    /// The phase of the profile, such as "tunnel".
    package var phase: String
    /// Which radio carries it.
    package var interface: NetworkInterface
    /// What the path does with packets.
    ///
    /// A phone knows `up` from `down`; not the other two.
    package var condition: PathChange.Condition
    /// Whether bytes cost money.
    package var isMetered: Bool
    /// Counted from zero; a higher one is another address of the phone.
    package var address: Int

    /// Whether the phone believes that it has a route.
    package var hasRoute: Bool { condition != .down }
}

/// Names one observer of a path.
package struct PathObserver: Hashable, Sendable {
    let number: Int
}

/// Which modem carries the packets of each interface.
package struct ModemSet {
    private let cellular: any Modem
    private let wifi: any Modem

    /// Makes a set of two radios.
    package init(cellular: any Modem, wifi: any Modem) {
        self.cellular = cellular
        self.wifi = wifi
    }

    /// Makes a set in which one modem stands for both.
    package init(_ modem: any Modem) {
        self.init(cellular: modem, wifi: modem)
    }

    /// The modem behind `interface`.
    package subscript(interface: NetworkInterface) -> any Modem {
        interface == .wifi ? wifi : cellular
    }
}

/// A radio that is always awake and costs nothing: for tests and for fleets without phones.
package final class AlwaysReadyModem: Modem {
    /// Makes a modem.
    package init() {}

    /// At once.
    package func readiness(
        _ direction: PacketDirection,
        size: Int,
        owner: String,
        at instant: SimulationInstant
    ) -> SimulationInstant {
        instant
    }

    /// Takes no notice.
    package func crossed(_ packet: PacketCrossing, at instant: SimulationInstant) {}
}
