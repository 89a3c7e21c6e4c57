import Foundation

/// CRC-32 as in IEEE 802.3, gzip and PNG (ISO 3309): enough against torn files, not against malice.
enum Checksum32 {
    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        return value
    }

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var value: UInt32 = 0xFFFF_FFFF
            for byte in bytes {
                value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8)
            }
            return value ^ 0xFFFF_FFFF
        }
    }
}
