/// What is known of one IP packet.
///
/// `payload` is valid only as long as the frame's bytes.
package struct DecodedPacket {
    /// The sender.
    package var source: IPAddress
    /// The receiver.
    package var destination: IPAddress
    /// The IP protocol behind extension headers: TCP 6, UDP 17.
    package var ipProtocol: UInt8
    /// Bytes of IP, headers included, as the packet was on the link.
    package var size: Int
    /// Zero unless TCP or UDP.
    package var sourcePort: UInt16 = 0
    /// Zero unless TCP or UDP.
    package var destinationPort: UInt16 = 0
    /// Bytes of transport payload as the packet was on the link.
    package var payloadLength = 0
    /// The payload's captured part.
    package var payload = UnsafeRawBufferPointer(start: nil, count: 0)
    /// TCP flags: FIN 1, SYN 2, RST 4, PSH 8, ACK 16.
    package var flags: UInt8 = 0
    /// TCP sequence number.
    package var sequence: UInt32 = 0
    /// TCP acknowledgement number.
    package var acknowledgement: UInt32 = 0
    /// TCP window, unscaled.
    package var window: UInt16 = 0
    /// The direction, if the frame says it.
    package var direction: FrameDirection?
    /// The app or process, if the frame says it; else empty.
    package var app = ""

    /// Whether it is TCP with a readable header.
    package var isTCP: Bool { ipProtocol == 6 && sourcePort | destinationPort != 0 }
    /// Whether it is UDP with a readable header.
    package var isUDP: Bool { ipProtocol == 17 && sourcePort | destinationPort != 0 }
}
