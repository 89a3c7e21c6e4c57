import Quantities

/// A picture as the lab's server sends it: a header that states its size, then bytes that mean nothing.
///
/// The header is 24 bytes: the text "OBIMAGE1", width and height as 32-bit and the length of the
/// whole file as 64-bit little-endian numbers. A file that is shorter than it says is damaged, as a
/// JPEG without its end is. Nothing is compressed: what decoding costs is the decoder's to say.
package struct SimulatedImage: Equatable, Sendable {
    /// Bytes of the header.
    package static let headerSize = 24
    private static let magic = Array("OBIMAGE1".utf8)

    /// Pixels from left to right.
    package var width: Int
    /// Pixels from top to bottom.
    package var height: Int
    /// Bytes of the whole file, by its header.
    package var size: ByteCount

    /// Makes a picture; traps when it has no pixels or no room for its header.
    package init(width: Int, height: Int, size: ByteCount) {
        precondition(width >= 1 && height >= 1, "\(width)x\(height) shows nothing")
        precondition(
            size.bytes >= Int64(Self.headerSize),
            "a picture of \(size) has no room for its header"
        )
        self.width = width
        self.height = height
        self.size = size
    }

    /// Reads the header of a file; nil when it is no picture.
    ///
    /// - Parameter bytes: at least the first 24 bytes.
    package init?(header bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize, Array(bytes.prefix(8)) == Self.magic else {
            return nil
        }
        let width = Self.number(bytes[8..<12])
        let height = Self.number(bytes[12..<16])
        let size = Self.number(bytes[16..<24])
        guard (1...1 << 20).contains(width), (1...1 << 20).contains(height),
            (Int64(Self.headerSize)...1 << 40).contains(size)
        else { return nil }
        self.init(width: Int(width), height: Int(height), size: ByteCount(size))
    }

    /// The file, whose bytes follow from `seed`; costs its length.
    package func file(seed: UInt64) -> [UInt8] {
        var bytes = Self.magic
        for (value, count) in [(Int64(width), 4), (Int64(height), 4), (size.bytes, 8)] {
            for index in 0..<count {
                bytes.append(UInt8(truncatingIfNeeded: value >> Int64(index * 8)))
            }
        }
        let rest = size.bytes - Int64(Self.headerSize)
        let content = SyntheticContent(seed: seed, length: ByteCount(rest))
        bytes += content.bytes(in: 0..<rest)
        return bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
    }
}
