/// Writes messages in Protocol Buffers' binary wire format.
///
/// Source: protobuf.dev, "Encoding". Fields appear in the order in which they are written, so that the
/// same calls give the same bytes.
struct ProtobufWriter {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// Writes an unsigned number of up to 64 bits.
    mutating func write(_ value: UInt64, field: Int) {
        tag(field, wire: 0)
        varint(value)
    }

    /// Writes a signed number: two's complement in ten bytes if it is below zero, as `int64` is.
    mutating func write(_ value: Int64, field: Int) {
        write(UInt64(bitPattern: value), field: field)
    }

    /// Writes eight bytes, little end first: `fixed64`.
    mutating func write(fixed value: UInt64, field: Int) {
        tag(field, wire: 1)
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Writes text as UTF-8.
    mutating func write(_ text: String, field: Int) {
        let utf8 = Array(text.utf8)
        tag(field, wire: 2)
        varint(UInt64(utf8.count))
        bytes += utf8
    }

    /// Writes a message within the message.
    mutating func write(field: Int, _ body: (inout ProtobufWriter) -> Void) {
        var inner = ProtobufWriter()
        body(&inner)
        tag(field, wire: 2)
        varint(UInt64(inner.bytes.count))
        bytes += inner.bytes
    }

    private mutating func tag(_ field: Int, wire: UInt64) {
        varint(UInt64(field) << 3 | wire)
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
