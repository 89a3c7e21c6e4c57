import PacketCapture
import Trace

/// Writes the QUIC packets of a datagram: headers as RFC 9000, 17 has them, and noise for the rest.
///
/// What is behind the connection IDs is encrypted or under header protection (RFC 9001, 5.4), so noise is
/// what a capture would show; it is the same in every run. Connection IDs are 8 bytes, one pair for each
/// address of the phone. The noise does not decrypt: a dissector that tries the Initial keys says so.
enum QUICHeaderWriter {
    private static let version: UInt32 = 1

    /// Appends the UDP payload of `crossing`.
    static func append(
        _ crossing: PacketCrossing,
        _ ends: PacketWriter.Ends,
        to packet: inout [UInt8]
    ) {
        let isUp = crossing.direction == .up
        var noise = Noise(
            state: UInt64(bitPattern: crossing.connection) << 40
                ^ UInt64(bitPattern: crossing.sequence) << 1 ^ (isUp ? 1 : 0)
        )
        let layout = crossing.quic
        for (kind, size) in [
            (UInt8(0), layout.initial), (1, layout.early), (2, layout.handshake),
        ] where size > 0 {
            appendLong(kind, Int(size), crossing, ends, &noise, to: &packet)
        }
        guard layout.application > 0 else { return }
        let end = packet.count + Int(layout.application)
        // Fixed bit; spin bit 0, for few clients use it; the rest is protected (17.3.1).
        packet.append(0x40 | noise.byte() & 0x1F)
        packet += connectionID(crossing.connection, ofPhone: !isUp, ends.moves)
        noise.fill(&packet, to: end)
    }

    private static func appendLong(
        _ kind: UInt8,
        _ size: Int,
        _ crossing: PacketCrossing,
        _ ends: PacketWriter.Ends,
        _ noise: inout Noise,
        to packet: inout [UInt8]
    ) {
        let isUp = crossing.direction == .up
        let end = packet.count + size
        // Long header, fixed bit, type; reserved bits and the number's length are protected (17.2).
        packet.append(0xC0 | kind << 4 | noise.byte() & 0x0F)
        packet.appendBig(version)
        // Until it hears the server, a client makes the server's ID up (7.2).
        let to =
            isUp && !ends.hasHeard
            ? connectionID(crossing.connection, ofPhone: false, -1)
            : connectionID(crossing.connection, ofPhone: !isUp, 0)
        packet.append(UInt8(to.count))
        packet += to
        let from = connectionID(crossing.connection, ofPhone: isUp, 0)
        packet.append(UInt8(from.count))
        packet += from
        if kind == 0 { packet.append(0) }
        // The length covers number, payload and tag; two bytes of variable-length integer (16).
        packet.appendBig(UInt16(0x4000) | UInt16(max(0, end - packet.count - 2)))
        noise.fill(&packet, to: end)
    }

    private static func connectionID(
        _ connection: Int64,
        ofPhone: Bool,
        _ moves: Int
    ) -> [UInt8] {
        var noise = Noise(
            state: UInt64(bitPattern: connection) &* 0x9E37_79B9_7F4A_7C15
                ^ UInt64(truncatingIfNeeded: moves + 2) << 8 ^ (ofPhone ? 1 : 2)
        )
        return (0..<8).map { _ in noise.byte() }
    }

    /// SplitMix64 (Steele, Lea and Flood 2014): bytes that look encrypted.
    private struct Noise {
        var state: UInt64
        private var word: UInt64 = 0
        private var left = 0

        init(state: UInt64) {
            self.state = state
        }

        mutating func byte() -> UInt8 {
            if left == 0 {
                state &+= 0x9E37_79B9_7F4A_7C15
                var mixed = state
                mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
                mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
                word = mixed ^ mixed >> 31
                left = 8
            }
            left -= 1
            let byte = UInt8(truncatingIfNeeded: word)
            word >>= 8
            return byte
        }

        mutating func fill(_ packet: inout [UInt8], to end: Int) {
            while packet.count < end { packet.append(byte()) }
        }
    }
}
