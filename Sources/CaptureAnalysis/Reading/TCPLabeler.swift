import PacketCapture

/// Labels the packets of one TCP connection as the published tools do (research notes A.2).
struct TCPLabeler {
    private var up = Side()
    private var down = Side()

    /// What one side has sent.
    private struct Side {
        var hasSent = false
        /// One past the highest sequence number with payload.
        var next: UInt32 = 0
        var lastAck: UInt32 = 0
        var lastFlags: UInt8 = 0
        var lastWindow: UInt16 = 0
        var hasAcked = false
        /// An acknowledgement that was repeated: the other side's next segment is missing.
        var repeated: UInt32?
    }

    mutating func label(_ packet: DecodedPacket, isUp: Bool) -> TCPLabel {
        if isUp { return Self.label(packet, from: &up, to: down) }
        return Self.label(packet, from: &down, to: up)
    }

    private static func label(
        _ packet: DecodedPacket,
        from side: inout Side,
        to peer: Side
    ) -> TCPLabel {
        let flags = packet.flags
        if flags & 2 != 0 {
            side = Side()
            side.next = packet.sequence &+ 1
            side.hasSent = true
            return .establish
        }
        if flags & 1 != 0 { return .close }
        if flags & 4 != 0 { return .reset }
        if packet.payloadLength > 0 { return data(packet, &side, peer) }
        return acknowledgement(packet, &side, peer)
    }

    private static func data(
        _ packet: DecodedPacket,
        _ side: inout Side,
        _ peer: Side
    ) -> TCPLabel {
        let end = packet.sequence &+ UInt32(truncatingIfNeeded: packet.payloadLength)
        defer { side.hasSent = true }
        guard side.hasSent else {
            side.next = end
            return .data
        }
        let behind = Int32(bitPattern: side.next &- packet.sequence)
        if behind > 0 {
            if packet.payloadLength == 1, behind == 1 { return .keepAlive }
            if Int32(bitPattern: end &- side.next) > 0 { side.next = end }
            return peer.repeated == packet.sequence ? .dataRecover : .dataDuplicate
        }
        side.next = end
        return .data
    }

    private static func acknowledgement(
        _ packet: DecodedPacket,
        _ side: inout Side,
        _ peer: Side
    ) -> TCPLabel {
        defer {
            side.hasAcked = true
            side.lastAck = packet.acknowledgement
            side.lastFlags = packet.flags
            side.lastWindow = packet.window
        }
        guard side.hasAcked, side.lastAck == packet.acknowledgement,
            side.lastFlags == packet.flags
        else { return .ack }
        if packet.window == 0 { return .zeroWindow }
        if packet.window != side.lastWindow { return .windowUpdate }
        side.repeated = packet.acknowledgement
        return .ackDuplicate
    }
}
