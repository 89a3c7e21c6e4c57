import Quantities
import Testing

/// The little-endian word of 8 bytes that begins at `start`.
private func word(of bytes: [UInt8], at start: Int) -> UInt64 {
    var word: UInt64 = 0
    for place in 0..<8 { word |= UInt64(bytes[start + place]) << UInt64(place * 8) }
    return word
}

@Suite struct ContentDigestTests {
    /// The definition in the doc comment, taken literally: zero-filled pairs of words, 128-bit products.
    static func reference(_ bytes: [UInt8]) -> UInt64 {
        func mix(_ state: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
            let product = UInt128(state ^ first) * UInt128(second ^ 0x9E37_79B9_7F4A_7C15)
            return UInt64(product >> 64) ^ UInt64(truncatingIfNeeded: product)
        }
        let filled = bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
        var lanes = (0..<4).map { 0x243F_6A88_85A3_08D3 + UInt64($0) }
        for pair in 0..<filled.count / 16 {
            let first = word(of: filled, at: pair * 16)
            let second = word(of: filled, at: pair * 16 + 8)
            lanes[pair % 4] = mix(lanes[pair % 4], first, second)
        }
        return (lanes[1...] + [UInt64(bytes.count)]).reduce(lanes[0]) { mix($0, $1, 0) }
    }

    static func content(_ count: Int) -> [UInt8] {
        SyntheticContent(seed: 42, length: ByteCount(count)).bytes(in: 0..<Int64(count))
    }

    @Test func `it is what its definition says, at every length`() {
        for count in 0..<200 {
            let bytes = Self.content(count)
            #expect(ContentDigest(of: bytes).value == Self.reference(bytes))
        }
    }

    @Test func `it does not matter where content is cut`() {
        let bytes = Self.content(150)
        // Before, at and behind the boundaries of bytes, words, pairs and blocks.
        let places = [
            0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 63, 64, 65, 79, 80, 127, 128, 129, 149, 150,
        ]
        for first in places {
            for second in places where second >= first {
                var digest = ContentDigest()
                digest.update(Array(bytes[..<first]))
                digest.update(Array(bytes[first..<second]))
                digest.update(Array(bytes[second...]))
                #expect(digest.value == Self.reference(bytes))
                #expect(digest.length == 150)
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
        let bytes = SyntheticContent(seed: 1_234_567, length: .bytes(320)).bytes(in: 0..<320)
        for (index, first) in expected.enumerated() {
            let words = (0..<8).map { word(of: bytes, at: index * 64 + $0 * 8) }
            #expect(words == (0..<8).map { first &+ $0 &* 0xD1B5_4A32_D192_ED03 })
        }
    }

    @Test func `any range is the same bytes as the whole`() {
        let content = SyntheticContent(seed: 7, length: .bytes(201))
        let whole = content.bytes(in: 0..<201)
        for start in stride(from: 0, through: 201, by: 3) {
            for end in start...201 {
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
