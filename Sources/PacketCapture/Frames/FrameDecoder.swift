/// Finds the IP packet in a frame.
///
/// Never reads past what was captured, and never traps.
package enum FrameDecoder {
    /// Headers may be nested this deep: VLAN tags, PPP in Ethernet, a link type behind PKTAP.
    private static let deepest = 8

    /// The packet in a frame; nil if the frame carries none or too little of it was captured.
    package static func decode(_ frame: CapturedFrame) -> DecodedPacket? {
        var packet = link(
            frame.linkType,
            ByteReader(frame.bytes),
            length: frame.originalLength,
            depth: 0
        )
        if packet?.direction == nil { packet?.direction = frame.direction }
        return packet
    }

    /// Decodes from a link header on; `length` is what the frame has from there on the link.
    static func link(
        _ type: LinkType,
        _ reader: ByteReader,
        length: Int,
        depth: Int
    ) -> DecodedPacket? {
        guard depth < deepest else { return nil }
        switch type {
        case .ethernet:
            return ethernet(reader, length: length, depth: depth)
        case .raw, .ipv4, .ipv6, .rawBSD, .rawOpenBSD:
            return IPDecoder.decode(reader, length: length)
        case .linuxCooked:
            return cooked(reader, length: length, header: 16, protocolAt: 14, typeAt: 0)
        case .linuxCooked2:
            return cooked(reader, length: length, header: 20, protocolAt: 0, typeAt: nil)
        case .null, .loop:
            return skipping(4, reader, length) { IPDecoder.decode($0, length: $1) }
        case .ppp, .pppHDLC:
            return ppp(reader, length: length)
        case .pppEthernet:
            return skipping(6, reader, length) { ppp($0, length: $1) }
        case .radiotap:
            guard let header = reader.peek(UInt16.self, at: 2, isBig: false) else { return nil }
            return skipping(Int(header), reader, length) { wifi($0, length: $1) }
        case .wifi:
            return wifi(reader, length: length)
        case .pktap, .applePktap:
            return pktap(reader, length: length, depth: depth)
        default:
            return nil
        }
    }

    private static func skipping(
        _ count: Int,
        _ reader: ByteReader,
        _ length: Int,
        _ body: (ByteReader, Int) -> DecodedPacket?
    ) -> DecodedPacket? {
        var reader = reader
        guard reader.skip(count) else { return nil }
        return body(reader, length - count)
    }

    /// Behind an EtherType: IP, a VLAN tag, a PPPoE session.
    private static func etherType(
        _ type: UInt16,
        _ reader: ByteReader,
        length: Int,
        depth: Int
    ) -> DecodedPacket? {
        guard depth < deepest else { return nil }
        switch type {
        case 0x0800, 0x86DD:
            return IPDecoder.decode(reader, length: length)
        case 0x8100, 0x88A8, 0x9100:
            guard let inner = reader.peek(UInt16.self, at: 2) else { return nil }
            return skipping(4, reader, length) {
                etherType(inner, $0, length: $1, depth: depth + 1)
            }
        case 0x8864:
            return skipping(6, reader, length) { ppp($0, length: $1) }
        default:
            return nil
        }
    }

    private static func ethernet(
        _ reader: ByteReader,
        length: Int,
        depth: Int
    ) -> DecodedPacket? {
        guard let type = reader.peek(UInt16.self, at: 12) else { return nil }
        var packet = skipping(14, reader, length) {
            etherType(type, $0, length: $1, depth: depth)
        }
        if packet != nil, let app = TrailerDecoder.app(reader.slice(reader.remaining)) {
            packet?.app = app
        }
        return packet
    }

    private static func cooked(
        _ reader: ByteReader,
        length: Int,
        header: Int,
        protocolAt: Int,
        typeAt: Int?
    ) -> DecodedPacket? {
        guard let type = reader.peek(UInt16.self, at: protocolAt) else { return nil }
        // The cooked packet type: 4 is sent by us, 0 to 3 came in. Version 2 has it at byte 10.
        let kind =
            typeAt.map { reader.peek(UInt16.self, at: $0) }
            ?? reader.peek(UInt8.self, at: 10).map { UInt16($0) }
        var packet = skipping(header, reader, length) {
            etherType(type, $0, length: $1, depth: 0)
        }
        if let kind { packet?.direction = kind == 4 ? .outbound : .inbound }
        return packet
    }

    private static func ppp(_ reader: ByteReader, length: Int) -> DecodedPacket? {
        var reader = reader
        var length = length
        if reader.peek(UInt16.self) == 0xFF03 {
            guard reader.skip(2) else { return nil }
            length -= 2
        }
        // An odd first byte is a compressed protocol field (RFC 1661, section 6.5).
        guard let first = reader.peek(UInt8.self) else { return nil }
        let isShort = first & 1 == 1
        let number = isShort ? UInt16(first) : reader.peek(UInt16.self) ?? 0
        guard number == 0x0021 || number == 0x0057 else { return nil }
        return skipping(isShort ? 1 : 2, reader, length) { IPDecoder.decode($0, length: $1) }
    }

    /// Data frames of 802.11 with an LLC/SNAP header; encrypted and amendment frames give nil.
    private static func wifi(_ reader: ByteReader, length: Int) -> DecodedPacket? {
        guard let control = reader.peek(UInt8.self), let flags = reader.peek(UInt8.self, at: 1),
            control & 0x0C == 0x08, control & 0x40 == 0, flags & 0x40 == 0
        else { return nil }
        var header = 24
        if flags & 0x03 == 0x03 { header += 6 }
        if control & 0x80 != 0 {
            header += 2
            if flags & 0x80 != 0 { header += 4 }
        }
        var direction: FrameDirection?
        if flags & 0x03 == 0x01 { direction = .outbound }
        if flags & 0x03 == 0x02 { direction = .inbound }
        var packet = skipping(header, reader, length) { reader, length in
            guard reader.peek(UInt32.self) == 0xAAAA_0300,
                let type = reader.peek(UInt16.self, at: 6)
            else { return nil }
            return skipping(8, reader, length) {
                etherType(type, $0, length: $1, depth: 0)
            }
        }
        packet?.direction = direction
        return packet
    }

    /// Apple's header in the writer's (little) byte order: length, next link type, direction, process.
    private static func pktap(
        _ reader: ByteReader,
        length: Int,
        depth: Int
    ) -> DecodedPacket? {
        guard let header = reader.peek(UInt32.self, at: 0, isBig: false),
            let next = reader.peek(UInt32.self, at: 8, isBig: false),
            let flags = reader.peek(UInt32.self, at: 36, isBig: false),
            header >= 40, header < 4_096, next <= 0xFFFF
        else { return nil }
        let process = reader.text(at: 56, count: 17)
        let effective = header >= 105 ? reader.text(at: 88, count: 17) : ""
        var packet = skipping(Int(header), reader, length) {
            link(LinkType(rawValue: Int32(next)), $0, length: $1, depth: depth + 1)
        }
        if flags & 1 != 0 { packet?.direction = .inbound }
        if flags & 2 != 0 { packet?.direction = .outbound }
        if packet?.app.isEmpty == true { packet?.app = effective.isEmpty ? process : effective }
        return packet
    }
}
