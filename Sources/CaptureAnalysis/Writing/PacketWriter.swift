import PacketCapture
import Trace

/// Builds the IPv4 packet that a crossing stands for, with right lengths and check sums.
///
/// Payload bytes are zero, or noise where they are encrypted: the simulation moves sizes, not content.
struct PacketWriter {
    /// The two ends of a connection.
    struct Ends {
        var phone: UInt32
        var server: UInt32
        var phonePort: UInt16
        var serverPort: UInt16
        /// A QUIC client has heard the server, and uses the connection ID that it was given.
        var hasHeard = false
        /// Addresses of the phone that the connection has had; each has connection IDs of its own.
        var moves = 0
    }

    /// The window scale that both ends announce (RFC 7323, section 2): 2^10 covers 64 MiB.
    private static let windowScale: UInt8 = 10
    /// Relative sequence numbers begin here on the wire, as an initial sequence number would.
    private static let initialSequence: UInt32 = 1_000

    /// The packet's bytes; what a snap length would cut is cut by the caller.
    static func bytes(
        _ crossing: PacketCrossing,
        _ ends: Ends,
        milliseconds: UInt32,
        echo: UInt32,
        identification: UInt16
    ) -> [UInt8] {
        let isUp = crossing.direction == .up
        let isQUIC = crossing.quic != .none
        let isTCP = crossing.connection != 0 && !isQUIC
        let size = max(Int(crossing.size), isTCP ? 40 : 28)
        var packet: [UInt8] = []
        packet.reserveCapacity(size)
        packet.appendBig(UInt16(0x4500))
        packet.appendBig(UInt16(clamping: size))
        packet.appendBig(identification)
        packet.appendBig(UInt16(0x4000))
        packet.appendBig(UInt8(64))
        packet.appendBig(UInt8(isTCP ? 6 : 17))
        packet.appendBig(UInt16(0))
        packet.appendBig(isUp ? ends.phone : ends.server)
        packet.appendBig(isUp ? ends.server : ends.phone)
        set(checksum(packet[...], seed: 0), at: 10, in: &packet)
        packet.appendBig(isUp ? ends.phonePort : ends.serverPort)
        packet.appendBig(isUp ? ends.serverPort : ends.phonePort)
        if isTCP {
            appendTCP(crossing, size: size, milliseconds: milliseconds, echo: echo, to: &packet)
        } else {
            packet.appendBig(UInt16(clamping: size - 20))
            packet.appendBig(UInt16(0))
            if isQUIC { QUICHeaderWriter.append(crossing, ends, to: &packet) }
            packet.append(contentsOf: repeatElement(0, count: max(0, size - packet.count)))
        }
        // The pseudo header of TCP and UDP: addresses, protocol, length (RFC 9293, section 3.1).
        let seed =
            packet[12..<20].pairs + UInt32(isTCP ? 6 : 17) + UInt32(size - 20)
        let sum = checksum(packet[20...], seed: seed)
        set(!isTCP && sum == 0 ? 0xFFFF : sum, at: isTCP ? 36 : 26, in: &packet)
        return packet
    }

    private static func appendTCP(
        _ crossing: PacketCrossing,
        size: Int,
        milliseconds: UInt32,
        echo: UInt32,
        to packet: inout [UInt8]
    ) {
        let isSyn = crossing.flags & 2 != 0
        let header = min(60, max(20, size - 20 - Int(crossing.payload)) & ~3)
        packet.appendBig(
            initialSequence &+ UInt32(truncatingIfNeeded: crossing.sequence)
        )
        let hasAck = crossing.flags & 16 != 0
        packet.appendBig(
            hasAck
                ? initialSequence &+ UInt32(truncatingIfNeeded: crossing.acknowledgement) : 0
        )
        packet.appendBig(UInt8(header / 4) << 4)
        packet.appendBig(crossing.flags)
        let window = isSyn ? crossing.window : crossing.window >> Int64(windowScale)
        packet.appendBig(UInt16(clamping: window))
        packet.appendBig(UInt32(0))
        var options: [UInt8] = []
        if isSyn, header >= 40 {
            options += [2, 4, 0x05, 0xB4, 4, 2]
            options += timestamps(milliseconds, hasAck ? echo : 0)
            options += [1, 3, 3, windowScale]
        } else if header >= 32 {
            options += [1, 1] + timestamps(milliseconds, echo)
        }
        options += repeatElement(1, count: max(0, header - 20 - options.count))
        packet += options.prefix(header - 20)
        packet.append(contentsOf: repeatElement(0, count: max(0, size - packet.count)))
    }

    private static func timestamps(_ value: UInt32, _ echo: UInt32) -> [UInt8] {
        var option: [UInt8] = [8, 10]
        option.appendBig(value)
        option.appendBig(echo)
        return option
    }

    /// The internet check sum (RFC 1071) of bytes that begin at an even offset.
    static func checksum(_ bytes: ArraySlice<UInt8>, seed: UInt32) -> UInt16 {
        var sum = seed &+ bytes.pairs
        while sum > 0xFFFF { sum = (sum & 0xFFFF) + (sum >> 16) }
        return ~UInt16(sum)
    }

    private static func set(_ value: UInt16, at offset: Int, in packet: inout [UInt8]) {
        packet[offset] = UInt8(value >> 8)
        packet[offset + 1] = UInt8(value & 0xFF)
    }
}

extension ArraySlice<UInt8> {
    /// The sum of big-endian pairs; an odd last byte counts as the high half.
    fileprivate var pairs: UInt32 {
        var sum: UInt32 = 0
        var index = startIndex
        while index + 1 < endIndex {
            sum &+= UInt32(self[index]) << 8 | UInt32(self[index + 1])
            index += 2
        }
        if index < endIndex { sum &+= UInt32(self[index]) << 8 }
        return sum
    }
}
