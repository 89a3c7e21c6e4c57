import PacketCapture

/// Builds frames by hand, field by field as the standards have them.
enum FrameBytes {
    static func big<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        big(value).reversed()
    }

    /// IPv4 with TCP: 20 + 20 bytes of headers and the payload.
    static func tcp4(payload: [UInt8] = [1, 2, 3], flags: UInt8 = 0x18) -> [UInt8] {
        let total = UInt16(40 + payload.count)
        return [0x45, 0] + big(total) + [0, 1, 0x40, 0, 64, 6, 0, 0]
            + [192, 0, 2, 1, 198, 51, 100, 2] + tcp(flags) + payload
    }

    /// IPv6 with a hop-by-hop header and UDP.
    static func udp6(payload: [UInt8] = [9, 9]) -> [UInt8] {
        let source: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1]
        let target: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [2]
        return [0x60, 0, 0, 0] + big(UInt16(16 + payload.count)) + [0, 64] + source + target
            + [17, 0, 1, 4, 0, 0, 0, 0] + big(UInt16(5_000)) + big(UInt16(53))
            + big(UInt16(8 + payload.count)) + [0, 0] + payload
    }

    private static func tcp(_ flags: UInt8) -> [UInt8] {
        big(UInt16(40_000)) + big(UInt16(443)) + big(UInt32(7)) + big(UInt32(9)) + [0x50, flags]
            + big(UInt16(1_024)) + [0, 0, 0, 0]
    }

    static let macs: [UInt8] = Array(repeating: 2, count: 12)

    /// Decodes bytes as a frame of a link type.
    static func decode(_ bytes: [UInt8], _ type: LinkType, original: Int? = nil)
        -> DecodedPacket?
    {
        bytes.withUnsafeBytes { buffer in
            FrameDecoder.decode(
                CapturedFrame(
                    interface: 0,
                    linkType: type,
                    nanoseconds: 0,
                    bytes: buffer,
                    originalLength: original ?? bytes.count
                )
            )
        }
    }
}
