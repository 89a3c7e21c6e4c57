import Quantities
import Trace

/// Bytes, requests and connections as the phone's modem sees them.
struct NetworkFold: MeasurementFold {
    /// Whether there are packets to count, beside requests.
    private let countsPackets: Bool
    private var isTouched = false
    private var up: Int64 = 0
    private var down: Int64 = 0
    private var retransmitted: Int64 = 0
    private var discarded: Int64 = 0
    private var metered: Int64 = 0
    private var requests = 0
    private var handshakes = 0
    private var connections = 0

    init(countsPackets: Bool = true) {
        self.countsPackets = countsPackets
    }

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .packet(let packet):
            return observe(packet)
        case .requestStarted:
            requests += 1
        case .connectionOpened(let opening):
            connections += 1
            if opening.security != "none" { handshakes += 1 }
        case .responseDiscarded(_, let size):
            discarded += size.bytes
        case .pathChanged:
            break
        default:
            return
        }
        isTouched = true
    }

    mutating func observe(_ packet: PacketCrossing) {
        let size = Int64(packet.size)
        switch packet.direction {
        case .up: up += size
        case .down: down += size
        }
        if packet.isRetransmission { retransmitted += Int64(packet.payload) }
        if packet.isMetered { metered += size }
        isTouched = true
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard isTouched else { return [] }
        guard countsPackets else { return [MetricReading("network.requests", count: requests)] }
        return [
            MetricReading("network.up_bytes", bytes: up),
            MetricReading("network.down_bytes", bytes: down),
            MetricReading("network.retransmitted_bytes", bytes: retransmitted),
            MetricReading("network.discarded_bytes", bytes: discarded),
            MetricReading("network.metered_bytes", bytes: metered),
            MetricReading("network.requests", count: requests),
            MetricReading("network.handshakes", count: handshakes),
            MetricReading("network.connections", count: connections),
        ]
    }
}
