/// The content of a simulated file: bytes that follow from a seed and their offset.
///
/// Nothing is stored: any range can be made at any time, at the cost of its length. The content is
/// a row of little-endian words of 8 bytes, in blocks of eight. The first word of block i is the output
/// of SplitMix64 (Steele, Lea and Flood, 2014) for the state seed + (i + 1) x 0x9E3779B97F4A7C15, and
/// word k of a block is the first one + k x 0xD1B54A32D192ED03, so that equal stretches do not occur by
/// accident and seven words of eight cost an addition.
public struct SyntheticContent: Hashable, Sendable {
    /// What the bytes follow from.
    public let seed: UInt64
    /// Bytes in all.
    public let length: Int64

    /// Makes content; traps if the length is negative.
    public init(seed: UInt64, length: ByteCount) {
        precondition(length.bytes >= 0, "content of \(length.bytes) bytes is no content")
        self.seed = seed
        self.length = length.bytes
    }

    /// The bytes of `range`; traps outside of the content.
    public func bytes(in range: Range<Int64>) -> [UInt8] {
        check(range)
        let count = Int(range.upperBound - range.lowerBound)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            fill(UnsafeMutableRawBufferPointer(buffer), from: range.lowerBound)
            filled = count
        }
    }

    /// Writes the bytes that begin at `offset` over the whole `buffer`; traps outside of the content.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int64) {
        check(offset..<offset + Int64(buffer.count))
        guard let base = buffer.baseAddress else { return }
        let count = buffer.count
        var index = 0
        // Bytes up to the first boundary of blocks, then whole blocks, then the rest.
        let lead = min(count, Int(-offset & 63))
        while index < lead {
            buffer[index] = byte(at: offset + Int64(index))
            index += 1
        }
        var state = state(at: (offset + Int64(index)) >> 6)
        while count &- index >= 64 {
            let first = Self.next(&state)
            for word in 0..<8 {
                base.storeBytes(
                    of: Self.word(word, of: first).littleEndian,
                    toByteOffset: index &+ word &* 8,
                    as: UInt64.self
                )
            }
            index &+= 64
        }
        while index < count {
            buffer[index] = byte(at: offset + Int64(index))
            index += 1
        }
    }

    /// The digest of all bytes, without making them.
    public var digest: UInt64 {
        digest(of: 0..<length)
    }

    /// The digest of the bytes of `range` as a piece of its own; traps outside of the content.
    public func digest(of range: Range<Int64>) -> UInt64 {
        check(range)
        var digest = ContentDigest()
        var position = range.lowerBound
        if position & 63 == 0 {
            var state = state(at: position >> 6)
            let blocks = (range.upperBound - position) / 64
            digest.update(blocks: Int(blocks), step: Self.step) { Self.next(&state) }
            position += blocks * 64
        }
        while position < range.upperBound {
            let piece = min(range.upperBound - position, 65_536)
            digest.update(bytes(in: position..<position + piece))
            position += piece
        }
        return digest.value
    }

    private func byte(at offset: Int64) -> UInt8 {
        var state = state(at: offset >> 6)
        let word = Self.word(Int(offset >> 3 & 7), of: Self.next(&state))
        return UInt8(truncatingIfNeeded: word >> UInt64(offset & 7 * 8))
    }

    /// The generator's state before the block at `index`.
    private func state(at index: Int64) -> UInt64 {
        seed &+ UInt64(bitPattern: index) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Word `index` of the block that begins with `first`.
    @inline(__always)
    private static func word(_ index: Int, of first: UInt64) -> UInt64 {
        first &+ UInt64(truncatingIfNeeded: index) &* step
    }

    private static let step: UInt64 = 0xD1B5_4A32_D192_ED03

    @inline(__always)
    private static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    private func check(_ range: Range<Int64>) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= length,
            "bytes \(range) lie outside of content of \(length) bytes"
        )
    }
}
