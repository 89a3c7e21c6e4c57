/// The digest by which both ends of a simulated upload are compared: 64 bits, fast, not cryptographic.
///
/// Content is cut into pairs of little-endian words of 8 bytes, the last pair filled with zeros. Pair i
/// moves lane i mod 4 from s to high(p) ^ low(p) with p = (s ^ first) x (second ^ 0x9E3779B97F4A7C15), a
/// product of 128 bits; lane k begins as 0x243F6A8885A308D3 + k (the first digits of pi). Four lanes,
/// because the next pair of one need not wait for the others; two words a product, because products are
/// what it costs (the folded product is that of wyhash, Wang Yi 2019). In the end lanes 1, 2 and 3 and then
/// the length are mixed into lane 0 as pairs with a second word of zero. A word of plain FNV-1a would let
/// its top bits move only the top bits of the state, so that two changes cancel; folding the high half back
/// prevents that. Reordered, repeated, missing and shifted bytes change the digest but for a chance of
/// about 2^-64 for each pair.
public struct ContentDigest: Hashable, Sendable {
    private var lanes = Lanes()
    private var pending: (first: UInt64, second: UInt64) = (0, 0)
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
        if length & 15 != 0 { end.take(pending.first, pending.second, at: length >> 4) }
        return Lanes.mix(end.folded, UInt64(bitPattern: length), 0)
    }

    /// Takes in `bytes` after those before; pieces may be cut anywhere.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Takes in `bytes` after those before; pieces may be cut anywhere.
    ///
    /// One multiplication for 16 bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index < bytes.count, length & 15 != 0 {
            take(bytes[index])
            index += 1
        }
        func word(_ start: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        while bytes.count - index >= 16, length & 63 != 0 {
            take(word(index), word(index + 8))
            index += 16
        }
        var running = lanes
        while bytes.count - index >= 64 {
            running.first = Lanes.mix(running.first, word(index), word(index + 8))
            running.second = Lanes.mix(running.second, word(index + 16), word(index + 24))
            running.third = Lanes.mix(running.third, word(index + 32), word(index + 40))
            running.fourth = Lanes.mix(running.fourth, word(index + 48), word(index + 56))
            index += 64
            length += 64
        }
        lanes = running
        while bytes.count - index >= 16 {
            take(word(index), word(index + 8))
            index += 16
        }
        while index < bytes.count {
            take(bytes[index])
            index += 1
        }
    }

    /// Takes in blocks of eight words at a boundary of eight: what makes synthetic content cheap.
    ///
    /// `next` gives the first word of each block; each further one is `step` more.
    @inline(__always)
    mutating func update(blocks: Int, step: UInt64, _ next: () -> UInt64) {
        precondition(length & 63 == 0, "\(length) is not a boundary of eight words")
        var running = lanes
        for _ in 0..<blocks {
            let word = next()
            running.first = Lanes.mix(running.first, word, word &+ step)
            running.second = Lanes.mix(running.second, word &+ 2 &* step, word &+ 3 &* step)
            running.third = Lanes.mix(running.third, word &+ 4 &* step, word &+ 5 &* step)
            running.fourth = Lanes.mix(running.fourth, word &+ 6 &* step, word &+ 7 &* step)
        }
        lanes = running
        length += Int64(blocks) * 64
    }

    /// A pair of words at a boundary of pairs.
    private mutating func take(_ first: UInt64, _ second: UInt64) {
        lanes.take(first, second, at: length >> 4)
        length += 16
    }

    private mutating func take(_ byte: UInt8) {
        let bits = UInt64(byte) << UInt64(length & 7 * 8)
        if length & 8 == 0 { pending.first |= bits } else { pending.second |= bits }
        length += 1
        guard length & 15 == 0 else { return }
        lanes.take(pending.first, pending.second, at: length >> 4 - 1)
        pending = (0, 0)
    }

    /// Whether both have taken in the same, as far as a digest can tell.
    public static func == (left: ContentDigest, right: ContentDigest) -> Bool {
        left.value == right.value && left.length == right.length
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
        hasher.combine(length)
    }
}

/// The four running states.
private struct Lanes: Sendable {
    var first: UInt64 = 0x243F_6A88_85A3_08D3
    var second: UInt64 = 0x243F_6A88_85A3_08D4
    var third: UInt64 = 0x243F_6A88_85A3_08D5
    var fourth: UInt64 = 0x243F_6A88_85A3_08D6

    /// All four in one.
    var folded: UInt64 {
        Self.mix(Self.mix(Self.mix(first, second, 0), third, 0), fourth, 0)
    }

    mutating func take(_ word: UInt64, _ next: UInt64, at index: Int64) {
        switch index & 3 {
        case 0: first = Self.mix(first, word, next)
        case 1: second = Self.mix(second, word, next)
        case 2: third = Self.mix(third, word, next)
        default: fourth = Self.mix(fourth, word, next)
        }
    }

    @inline(__always)
    static func mix(_ state: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = (state ^ first).multipliedFullWidth(by: second ^ 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
