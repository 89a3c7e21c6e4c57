/// SHA-1 (FIPS 180-4, 6.1), which tus asks every server with the checksum extension to know.
///
/// Broken against forgers, good enough against accidents: it is used for nothing else.
struct SHA1 {
    private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    private var block: [UInt8] = []
    private var length: UInt64 = 0

    /// Takes in `bytes` after those before.
    mutating func update(_ bytes: [UInt8]) {
        length += UInt64(bytes.count)
        block.append(contentsOf: bytes)
        var start = 0
        while block.count - start >= 64 {
            compress(from: start)
            start += 64
        }
        block.removeFirst(start)
    }

    /// The 20 bytes of the digest; the value is used up.
    mutating func finish() -> [UInt8] {
        let bits = length * 8
        var padding: [UInt8] = [0x80]
        let rest = (block.count + 1) % 64
        padding += [UInt8](repeating: 0, count: rest <= 56 ? 56 - rest : 120 - rest)
        padding += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - UInt64($0) * 8)) }
        update(padding)
        return state.flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - UInt32($0) * 8)) }
        }
    }

    private mutating func compress(from start: Int) {
        var words = [UInt32](repeating: 0, count: 80)
        for index in 0..<16 {
            let place = start + index * 4
            words[index] =
                UInt32(block[place]) << 24 | UInt32(block[place + 1]) << 16
                | UInt32(block[place + 2]) << 8 | UInt32(block[place + 3])
        }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words[index] = Self.rotate(mixed, 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = Self.rotate(a, 5) &+ mixed &+ e &+ constant &+ words[index]
            (a, b, c, d, e) = (next, a, Self.rotate(b, 30), c, d)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }

    private static func rotate(_ word: UInt32, _ places: UInt32) -> UInt32 {
        word << places | word >> (32 - places)
    }
}
