/// The digest by which both ends of a simulated upload are compared: 64 bits, fast, not cryptographic.
///
/// Content is cut into little-endian words of 8 bytes, the last one filled with zeros. Each word w
/// moves the state s to high(p) ^ low(p) with p = (s ^ w) x 0x9E3779B97F4A7C15, a product of
/// 128 bits; the state begins as 0x243F6A8885A308D3 (the first digits of pi). The length is mixed in
/// last, the same way, as one more word. A word of plain FNV-1a would let its top bits move only the
/// top bits of the state, so that two changes cancel; folding the high half back prevents that.
/// Reordered, repeated, missing and shifted bytes change the digest but for a chance of 2^-64.
public struct ContentDigest: Hashable, Sendable {
    private var state: UInt64 = 0x243F_6A88_85A3_08D3
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
        var end = state
        if length & 7 != 0 { end = Self.mix(end, pending) }
        return Self.mix(end, UInt64(bitPattern: length))
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
        var running = state
        let wordsEnd = index + (bytes.count - index) / 8 * 8
        length += Int64(wordsEnd - index)
        while index < wordsEnd {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            running = Self.mix(running, UInt64(littleEndian: word))
            index += 8
        }
        state = running
        while index < bytes.count {
            take(bytes[index])
            index += 1
        }
    }

    /// Takes in one whole word at a boundary of words: what makes synthetic content cheap.
    mutating func update(word: UInt64) {
        precondition(length & 7 == 0, "\(length) is not a boundary of words")
        state = Self.mix(state, word)
        length += 8
    }

    private mutating func take(_ byte: UInt8) {
        pending |= UInt64(byte) << UInt64(length & 7 * 8)
        length += 1
        guard length & 7 == 0 else { return }
        state = Self.mix(state, pending)
        pending = 0
    }

    @inline(__always)
    private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
