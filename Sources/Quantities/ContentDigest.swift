/// The digest by which both ends of a simulated upload are compared: 64 bits, fast, not cryptographic.
///
/// Content is cut into little-endian words of 8 bytes, the last one filled with zeros. Word i moves
/// lane i mod 4 from s to high(p) ^ low(p) with p = (s ^ word) x 0x9E3779B97F4A7C15, a product of
/// 128 bits; lane k begins as 0x243F6A8885A308D3 + k (the first digits of pi). Four lanes, because the
/// next word of one need not wait for the others. In the end lanes 1, 2 and 3 and then the length are
/// mixed into lane 0 the same way. A word of plain FNV-1a would let its top bits move only the top
/// bits of the state, so that two changes cancel; folding the high half back prevents that.
/// Reordered, repeated, missing and shifted bytes change the digest but for a chance of 2^-64.
public struct ContentDigest: Hashable, Sendable {
    private var lanes = Lanes()
    private var pending: UInt64 = 0
    /// Bytes taken in so far.
    public private(set) var length: Int64 = 0

    /// Begins with nothing taken in.
    public init() {}

    /// Digests `bytes` as a whole.
    public init(of bytes: [UInt8]) {
        update(bytes)
    }

    /// The digest of all that was taken in; taking in more is still possible.
    public var value: UInt64 {
        var end = lanes
        if length & 7 != 0 { end.take(pending, at: length >> 3) }
        return Lanes.mix(end.folded, UInt64(bitPattern: length))
    }

    /// Takes in `bytes` after those before; pieces may be cut anywhere.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Takes in `bytes` after those before; pieces may be cut anywhere.
    ///
    /// One multiplication for 8 bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index < bytes.count, length & 7 != 0 {
            take(bytes[index])
            index += 1
        }
        func word(_ start: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        while bytes.count - index >= 8, length & 31 != 0 {
            update(word: word(index))
            index += 8
        }
        var running = lanes
        while bytes.count - index >= 32 {
            running.take(word(index), word(index + 8), word(index + 16), word(index + 24))
            index += 32
            length += 32
        }
        lanes = running
        while bytes.count - index >= 8 {
            update(word: word(index))
            index += 8
        }
        while index < bytes.count {
            take(bytes[index])
            index += 1
        }
    }

    /// Takes in one whole word at a boundary of words.
    mutating func update(word: UInt64) {
        precondition(length & 7 == 0, "\(length) is not a boundary of words")
        lanes.take(word, at: length >> 3)
        length += 8
    }

    /// Takes in blocks of four words at a boundary of four: what makes synthetic content cheap.
    ///
    /// `next` gives the first word of each block; each further one is `step` more.
    @inline(__always)
    mutating func update(blocks: Int, step: UInt64, _ next: () -> UInt64) {
        precondition(length & 31 == 0, "\(length) is not a boundary of four words")
        var running = lanes
        for _ in 0..<blocks {
            let first = next()
            running.take(first, first &+ step, first &+ 2 &* step, first &+ 3 &* step)
        }
        lanes = running
        length += Int64(blocks) * 32
    }

    private mutating func take(_ byte: UInt8) {
        pending |= UInt64(byte) << UInt64(length & 7 * 8)
        length += 1
        guard length & 7 == 0 else { return }
        lanes.take(pending, at: length >> 3 - 1)
        pending = 0
    }
}

/// The four running states.
private struct Lanes: Hashable, Sendable {
    private var first: UInt64 = 0x243F_6A88_85A3_08D3
    private var second: UInt64 = 0x243F_6A88_85A3_08D4
    private var third: UInt64 = 0x243F_6A88_85A3_08D5
    private var fourth: UInt64 = 0x243F_6A88_85A3_08D6

    /// All four in one.
    var folded: UInt64 {
        Self.mix(Self.mix(Self.mix(first, second), third), fourth)
    }

    mutating func take(_ word: UInt64, at index: Int64) {
        switch index & 3 {
        case 0: first = Self.mix(first, word)
        case 1: second = Self.mix(second, word)
        case 2: third = Self.mix(third, word)
        default: fourth = Self.mix(fourth, word)
        }
    }

    @inline(__always)
    mutating func take(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
        first = Self.mix(first, a)
        second = Self.mix(second, b)
        third = Self.mix(third, c)
        fourth = Self.mix(fourth, d)
    }

    @inline(__always)
    static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
