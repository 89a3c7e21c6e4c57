import Quantities
import Trace

/// One state of a radio: its name, what it is for, what it draws.
package struct RadioState: Equatable, Sendable {
    /// The name in the radio file, such as "LTE_DRX_SHORT".
    package var name: String
    /// What the state is for; metrics sum by it.
    package var kind: RadioInterval.Kind
    /// What it draws.
    package var draw: PowerDraw

    /// Makes a state.
    package init(_ name: String, _ kind: RadioInterval.Kind, _ draw: PowerDraw) {
        self.name = name
        self.kind = kind
        self.draw = draw
    }

    /// Makes a state of flat draw.
    package init(_ name: String, _ kind: RadioInterval.Kind, _ power: Power) {
        self.init(name, kind, PowerDraw(power))
    }
}

/// Energy on top of a state's draw for what is sent and received, by its size.
///
/// milliwatts per Mbps are nanojoules per bit: the rate at which bits pass does not matter.
package struct TransferSlope: Equatable, Sendable {
    /// Microwatts for each megabit a second toward the network.
    package var up: Power
    /// Microwatts for each megabit a second from the network.
    package var down: Power

    /// Makes slopes.
    package init(up: Power = .zero, down: Power = .zero) {
        self.up = up
        self.down = down
    }

    /// Energy of one packet: 8 bits a byte, 1 uW/Mbps = 1 pJ/bit = 1,000 fJ/bit.
    package func energy(_ direction: PacketDirection, bytes: Int64) -> Energy {
        let slope = direction == .up ? up : down
        return Energy(femtojoules: Int128(slope.microwatts) * Int128(bytes) * 8_000)
    }
}
