/// Reads integers out of bytes; every read is checked, and one past the end gives nil.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    var remaining: Int { max(0, bytes.count - offset) }

    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= remaining else { return false }
        offset += count
        return true
    }

    /// A big-endian integer at a distance from here.
    func peek<T: FixedWidthInteger>(_ type: T.Type, at distance: Int = 0) -> T? {
        guard distance >= 0, remaining >= MemoryLayout<T>.size,
            distance <= remaining - MemoryLayout<T>.size
        else { return nil }
        return T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + distance, as: T.self))
    }

    /// An integer in either byte order at a distance from here.
    func peek<T: FixedWidthInteger>(_ type: T.Type, at distance: Int, isBig: Bool) -> T? {
        guard let value = peek(type, at: distance) else { return nil }
        return isBig ? value : value.byteSwapped
    }

    /// The bytes from here on, at most `count`.
    func slice(_ count: Int) -> UnsafeRawBufferPointer {
        let length = max(0, min(count, remaining))
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)])
    }

    /// Text of a fixed field, up to its first zero; what is no UTF-8 is replaced.
    func text(at distance: Int, count: Int) -> String {
        guard distance >= 0, distance < remaining else { return "" }
        let end = min(offset + distance + max(0, count), bytes.count)
        let field = bytes[(offset + distance)..<end].prefix { $0 != 0 }
        return String(decoding: field, as: UTF8.self)
    }
}
