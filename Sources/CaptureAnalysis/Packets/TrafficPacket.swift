import Quantities
import Trace

/// One packet of a trace as the radio models see it; 24 bytes.
package struct TrafficPacket: Equatable, Sendable {
    /// Nanoseconds since the beginning of the trace.
    package var time: Int64
    /// Bytes of IP, headers included.
    package var size: Int32
    /// Bytes of transport payload.
    package var payload: Int32
    /// Who pays, by number.
    package var owner: Int32
    /// Toward or from the network.
    package var direction: PacketDirection
    /// What TCP used it for.
    package var label: TCPLabel
    /// The interface it was captured on, by number; 255 stands for all from there on.
    package var interface: UInt8

    /// Makes a packet.
    package init(
        time: Int64,
        _ direction: PacketDirection,
        size: Int32,
        payload: Int32,
        label: TCPLabel = .none,
        owner: Int32 = 0,
        interface: UInt8 = 0
    ) {
        self.interface = interface
        self.time = time
        self.size = size
        self.payload = payload
        self.owner = owner
        self.direction = direction
        self.label = label
    }
}

/// What TCP used a packet for, as the published tools label it.
package enum TCPLabel: String, Sendable, CaseIterable {
    /// Not TCP.
    case none = "-"
    case data = "TCP_DATA"
    case ack = "TCP_ACK"
    case establish = "TCP_ESTABLISH"
    case close = "TCP_CLOSE"
    case reset = "TCP_RESET"
    case dataDuplicate = "TCP_DATA_DUP"
    case dataRecover = "TCP_DATA_RECOVER"
    case ackDuplicate = "TCP_ACK_DUP"
    case ackRecover = "TCP_ACK_RECOVER"
    case keepAlive = "TCP_KEEP_ALIVE"
    case keepAliveAck = "TCP_KEEP_ALIVE_ACK"
    case zeroWindow = "TCP_ZERO_WINDOW"
    case windowUpdate = "TCP_WINDOW_UPDATE"
}

/// A trace: its packets in order of time, and how long it lasts.
package struct Traffic: Equatable, Sendable {
    /// In order of time.
    package let packets: TrafficPackets
    /// From the beginning to the end, in nanoseconds; packets after it are left out.
    package var length: Int64

    /// Makes a trace; sorts the packets by time, keeping the order of equals.
    package init(packets: [TrafficPacket], length: Int64) {
        self.length = length
        let isSorted = zip(packets, packets.dropFirst()).allSatisfy { $0.time <= $1.time }
        guard !isSorted else {
            self.packets = TrafficPackets(packets)
            return
        }
        self.packets = TrafficPackets(
            packets.enumerated()
                .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
                .map(\.element)
        )
    }

    /// Makes a trace of packets in the order that they have.
    init(_ packets: TrafficPackets, length: Int64) {
        self.packets = packets
        self.length = length
    }

    /// The same packets, or some of them, in order of time.
    func sorted(
        where isIncluded: (TrafficPacket) -> Bool = { _ in true }
    ) throws(PacketFileError) -> Traffic {
        try selected(ordersByTime: true, where: isIncluded)
    }

    /// Some of the packets, in order of time or as they are.
    func selected(
        ordersByTime: Bool,
        where isIncluded: (TrafficPacket) -> Bool
    ) throws(PacketFileError) -> Traffic {
        var collector = PacketCollector(ordersByTime: ordersByTime)
        for packet in packets where isIncluded(packet) { collector.append(packet) }
        return Traffic(try collector.finish(), length: length)
    }
}
