/// Reads IPv4 and IPv6 with TCP or UDP behind them.
enum IPDecoder {
    /// Extension headers may follow each other this often.
    private static let mostExtensions = 8

    /// `length` is what the frame has from the IP header on, padding included.
    static func decode(_ reader: ByteReader, length: Int) -> DecodedPacket? {
        guard let first = reader.peek(UInt8.self) else { return nil }
        switch first >> 4 {
        case 4: return ipv4(reader, length: length, headerWords: Int(first & 0x0F))
        case 6: return ipv6(reader, length: length)
        default: return nil
        }
    }

    private static func ipv4(
        _ reader: ByteReader,
        length: Int,
        headerWords: Int
    ) -> DecodedPacket? {
        let header = headerWords * 4
        guard header >= 20, let total = reader.peek(UInt16.self, at: 2),
            let fragment = reader.peek(UInt16.self, at: 6),
            let number = reader.peek(UInt8.self, at: 9),
            let source = reader.peek(UInt32.self, at: 12),
            let destination = reader.peek(UInt32.self, at: 16)
        else { return nil }
        let size = self.size(announced: Int(total), length: length, atLeast: header)
        var packet = DecodedPacket(
            source: IPAddress(ipv4: source),
            destination: IPAddress(ipv4: destination),
            ipProtocol: number,
            size: size
        )
        packet.payloadLength = max(0, size - header)
        var rest = reader
        if fragment & 0x1FFF == 0, rest.skip(header) { transport(rest, &packet, size - header) }
        return packet
    }

    private static func ipv6(_ reader: ByteReader, length: Int) -> DecodedPacket? {
        guard let payload = reader.peek(UInt16.self, at: 4),
            var next = reader.peek(UInt8.self, at: 6),
            let high = reader.peek(UInt64.self, at: 8), let low = reader.peek(UInt64.self, at: 16),
            let toHigh = reader.peek(UInt64.self, at: 24),
            let toLow = reader.peek(UInt64.self, at: 32)
        else { return nil }
        let announced = payload == 0 ? 0 : Int(payload) + 40
        let size = self.size(announced: announced, length: length, atLeast: 40)
        var packet = DecodedPacket(
            source: IPAddress(high: high, low: low),
            destination: IPAddress(high: toHigh, low: toLow),
            ipProtocol: next,
            size: size
        )
        var rest = reader
        guard rest.skip(40) else { return packet }
        var header = 40
        var isFirst = true
        for _ in 0..<mostExtensions {
            var skipped: Int
            switch next {
            case 0, 43, 60, 135:
                guard let words = rest.peek(UInt8.self, at: 1) else { return packet }
                skipped = (Int(words) + 1) * 8
            case 44:
                guard let offset = rest.peek(UInt16.self, at: 2) else { return packet }
                isFirst = offset & 0xFFF8 == 0
                skipped = 8
            case 51:
                guard let words = rest.peek(UInt8.self, at: 1) else { return packet }
                skipped = (Int(words) + 2) * 4
            default:
                skipped = 0
            }
            guard skipped > 0 else { break }
            guard let after = rest.peek(UInt8.self), rest.skip(skipped) else { return packet }
            next = after
            header += skipped
        }
        packet.ipProtocol = next
        packet.payloadLength = max(0, size - header)
        if isFirst { transport(rest, &packet, size - header) }
        return packet
    }

    /// The IP header's length where it is plausible; 0 is written when hardware will segment.
    private static func size(announced: Int, length: Int, atLeast header: Int) -> Int {
        if announced >= header, announced <= length { return announced }
        return max(length, header)
    }

    private static func transport(
        _ reader: ByteReader,
        _ packet: inout DecodedPacket,
        _ length: Int
    ) {
        guard packet.ipProtocol == 6 || packet.ipProtocol == 17,
            let source = reader.peek(UInt16.self), let destination = reader.peek(UInt16.self, at: 2)
        else { return }
        var header = 8
        if packet.ipProtocol == 6 {
            guard let sequence = reader.peek(UInt32.self, at: 4),
                let acknowledgement = reader.peek(UInt32.self, at: 8),
                let words = reader.peek(UInt8.self, at: 12),
                let flags = reader.peek(UInt8.self, at: 13),
                let window = reader.peek(UInt16.self, at: 14)
            else { return }
            header = Int(words >> 4) * 4
            guard header >= 20 else { return }
            packet.sequence = sequence
            packet.acknowledgement = acknowledgement
            packet.flags = flags
            packet.window = window
        }
        packet.sourcePort = source
        packet.destinationPort = destination
        packet.payloadLength = max(0, length - header)
        var rest = reader
        if rest.skip(header) { packet.payload = rest.slice(packet.payloadLength) }
    }
}
