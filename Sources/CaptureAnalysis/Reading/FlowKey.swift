import PacketCapture

/// A connection's two ends, the device's first.
struct FlowKey: Hashable {
    let near: IPAddress
    let far: IPAddress
    let nearPort: UInt16
    let farPort: UInt16
    let ipProtocol: UInt8

    init(_ packet: DecodedPacket, isUp: Bool) {
        near = isUp ? packet.source : packet.destination
        far = isUp ? packet.destination : packet.source
        nearPort = isUp ? packet.sourcePort : packet.destinationPort
        farPort = isUp ? packet.destinationPort : packet.sourcePort
        ipProtocol = packet.ipProtocol
    }
}
