import Quantities
import Testing

/// The little-endian word of 8 bytes that begins at `start`.
private func word(of bytes: [UInt8], at start: Int) -> UInt64 {
    var word: UInt64 = 0
    for place in 0..<8 { word |= UInt64(bytes[start + place]) << UInt64(place * 8) }
    return word
}

@Suite struct ContentDigestTests {
    /// The definition in the doc comment, taken literally: zero-filled words, 128-bit products.
    static func reference(_ bytes: [UInt8]) -> UInt64 {
        func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
            let product = UInt128(state ^ word) * 0x9E37_79B9_7F4A_7C15
            return UInt64(product >> 64) ^ UInt64(truncatingIfNeeded: product)
        }
        var words: [UInt64] = []
        for (index, byte) in bytes.enumerated() {
            if index % 8 == 0 { words.append(0) }
            words[words.count - 1] += UInt64(byte) << UInt64(index % 8 * 8)
        }
        var lanes = (0..<4).map { 0x243F_6A88_85A3_08D3 + UInt64($0) }
        for (index, word) in words.enumerated() { lanes[index % 4] = mix(lanes[index % 4], word) }
        return (lanes[1...] + [UInt64(bytes.count)]).reduce(lanes[0], mix)
    }

    static func content(_ count: Int) -> [UInt8] {
        SyntheticContent(seed: 42, length: ByteCount(count)).bytes(in: 0..<Int64(count))
    }

    @Test func `it is what its definition says, at every length`() {
        for count in 0..<70 {
            let bytes = Self.content(count)
            #expect(ContentDigest(of: bytes).value == Self.reference(bytes))
        }
    }

    @Test func `it does not matter where content is cut`() {
        let bytes = Self.content(50)
        for first in 0...50 {
            for second in first...50 {
                var digest = ContentDigest()
                digest.update(Array(bytes[..<first]))
                digest.update(Array(bytes[first..<second]))
                digest.update(Array(bytes[second...]))
                #expect(digest.value == Self.reference(bytes))
                #expect(digest.length == 50)
            }
        }
    }

    @Test func `bytes that are moved, repeated, dropped or changed are noticed`() {
        // 64 bytes of which no two are equal (37 is odd), so that all variants differ.
        let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
        var seen: Set<UInt64> = [ContentDigest(of: bytes).value]
        var variants = 1
        func note(_ variant: [UInt8]) {
            guard variant != bytes else { return }
            variants += 1
            seen.insert(ContentDigest(of: variant).value)
        }
        for one in 0..<8 {
            for other in 0..<one {
                var swapped = bytes
                for place in 0..<8 { swapped.swapAt(one * 8 + place, other * 8 + place) }
                note(swapped)
            }
        }
        for place in 0..<64 {
            note(Array(bytes[..<place] + bytes[(place + 1)...]))
            note(Array(bytes[...place] + bytes[place...]))
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << UInt8(bit)
                note(changed)
            }
        }
        // 28 pairs of words, 64 dropped, 64 repeated and 512 changed, all different from each other.
        #expect(variants == 1 + 28 + 64 + 64 + 512)
        #expect(seen.count == variants)
    }

    @Test func `two changes of the top bit do not cancel, as they would in FNV-1a by words`() {
        let bytes = Self.content(32)
        var changed = bytes
        changed[7] ^= 0x80
        changed[15] ^= 0x80
        #expect(ContentDigest(of: bytes) != ContentDigest(of: changed))
        // The twin that is caught: xor, then multiply, by words, without folding.
        func careless(_ bytes: [UInt8]) -> UInt64 {
            var state: UInt64 = 0xCBF2_9CE4_8422_2325
            for start in stride(from: 0, to: bytes.count, by: 8) {
                state = (state ^ word(of: bytes, at: start)) &* 0x0000_0100_0000_01B3
            }
            return state
        }
        #expect(careless(bytes) == careless(changed))
    }

    @Test func `zeros of different lengths differ`() {
        let digests = (0..<64).map { ContentDigest(of: [UInt8](repeating: 0, count: $0)).value }
        #expect(Set(digests).count == 64)
    }
}

@Suite struct SyntheticContentTests {
    @Test func `blocks begin with the words of SplitMix64, and go on by a constant`() {
        // The first outputs of SplitMix64 from seed 1234567, as published with the generator
        // (prng.di.unimi.it/splitmix64.c; Rosetta Code, "Pseudo-random numbers/Splitmix64").
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        let bytes = SyntheticContent(seed: 1_234_567, length: .bytes(160)).bytes(in: 0..<160)
        for (index, first) in expected.enumerated() {
            let words = (0..<4).map { word(of: bytes, at: index * 32 + $0 * 8) }
            #expect(words == (0..<4).map { first &+ $0 &* 0xD1B5_4A32_D192_ED03 })
        }
    }

    @Test func `any range is the same bytes as the whole`() {
        let content = SyntheticContent(seed: 7, length: .bytes(101))
        let whole = content.bytes(in: 0..<101)
        for start in 0...101 {
            for end in start...101 {
                let range = Int64(start)..<Int64(end)
                #expect(content.bytes(in: range) == Array(whole[start..<end]))
                #expect(
                    content.digest(of: range) == ContentDigest(of: Array(whole[start..<end])).value
                )
            }
        }
        #expect(content.digest == ContentDigest(of: whole).value)
    }

    @Test func `another seed is other content, and a longer file begins alike`() {
        let one = SyntheticContent(seed: 1, length: .bytes(64))
        let other = SyntheticContent(seed: 2, length: .bytes(64))
        let longer = SyntheticContent(seed: 1, length: .bytes(128))
        #expect(one.bytes(in: 0..<64) != other.bytes(in: 0..<64))
        #expect(one.bytes(in: 0..<64) == longer.bytes(in: 0..<64))
        #expect(one.digest != longer.digest)
    }

    @Test func `bytes outside of the content trap`() async {
        await #expect(processExitsWith: .failure) {
            _ = SyntheticContent(seed: 1, length: .bytes(8)).bytes(in: 4..<9)
        }
    }
}
