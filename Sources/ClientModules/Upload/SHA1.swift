/// The digest SHA-1 (FIPS 180-4, 6.1), which tus names for `Upload-Checksum`.
///
/// It finds damage, not forgery.
struct SHA1 {
    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )
    private var pending: [UInt8] = []
    private var count: UInt64 = 0
    private var schedule = [UInt32](repeating: 0, count: 80)

    /// Takes in more of the message.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += UInt64(bytes.count)
        var position = 0
        if !pending.isEmpty {
            position = min(64 - pending.count, bytes.count)
            pending.append(contentsOf: bytes[0..<position])
            guard pending.count == 64 else { return }
            let block = pending
            block.withUnsafeBytes { compress($0, at: 0) }
            pending.removeAll(keepingCapacity: true)
        }
        while bytes.count - position >= 64 {
            compress(bytes, at: position)
            position += 64
        }
        pending.append(contentsOf: bytes[position...])
    }

    /// Ends the message and returns its digest of 20 bytes.
    mutating func finish() -> [UInt8] {
        let bits = count * 8
        var tail: [UInt8] = [0x80]
        let zeros = (119 - pending.count) % 64
        tail.append(contentsOf: repeatElement(0, count: zeros))
        for shift in stride(from: 56, through: 0, by: -8) {
            tail.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        tail.withUnsafeBytes { update($0) }
        return [state.0, state.1, state.2, state.3, state.4].flatMap { word in
            stride(from: 24, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: word >> UInt32($0))
            }
        }
    }

    private mutating func compress(_ block: UnsafeRawBufferPointer, at start: Int) {
        for index in 0..<16 {
            let word = block.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self)
            schedule[index] = UInt32(bigEndian: word)
        }
        for index in 16..<80 {
            let mixed =
                schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14]
                ^ schedule[index - 16]
            schedule[index] = Self.rotated(mixed, by: 1)
        }
        var (a, b, c, d, e) = state
        for index in 0..<80 {
            let mix: UInt32
            let constant: UInt32
            switch index {
            case ..<20: (mix, constant) = (b & c | ~b & d, 0x5A82_7999)
            case ..<40: (mix, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
            case ..<60: (mix, constant) = (b & c | b & d | c & d, 0x8F1B_BCDC)
            default: (mix, constant) = (b ^ c ^ d, 0xCA62_C1D6)
            }
            let next = Self.rotated(a, by: 5) &+ mix &+ e &+ constant &+ schedule[index]
            (e, d, c, b, a) = (d, c, Self.rotated(b, by: 30), a, next)
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
    }

    private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 {
        word << bits | word >> (32 - bits)
    }
}
