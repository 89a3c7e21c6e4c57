import Quantities
import SimulationKernel
import Testing

@Suite struct RandomStreamTests {
    /// The published algorithms, written apart from the code under test.
    ///
    /// SplitMix64 from seed 0 gives E220A8397B1DCDAF, 6E789E6AA1B965F4, 06C45D188009454F,
    /// F88BB8A8724C81EC (Steele, Lea and Flood, 2014); they fill the state of xoshiro256**, whose first
    /// output is rotl(s1 * 5, 7) * 9, and so on. The reference below is written from the published
    /// algorithm with an array, apart from the code under test.
    private struct Reference {
        var state: [UInt64]

        init(key: UInt64) {
            var z = key
            state = (0..<4).map { _ in
                z &+= 0x9E37_79B9_7F4A_7C15
                var x = z
                x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
                x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
                return x ^ (x >> 31)
            }
        }

        mutating func next() -> UInt64 {
            func rotl(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
            let result = rotl(state[1] &* 5, 7) &* 9
            let t = state[1] << 17
            state[2] ^= state[0]
            state[3] ^= state[1]
            state[1] ^= state[2]
            state[0] ^= state[3]
            state[2] ^= t
            state[3] = rotl(state[3], 45)
            return result
        }
    }

    @Test func `the seeding reference gives the published SplitMix64 vector`() {
        let reference = Reference(key: 0)
        #expect(
            reference.state == [
                0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
                0xF88B_B8A8_724C_81EC,
            ]
        )
    }

    /// The published test vector of xoshiro256** for the state 1, 2, 3, 4 begins 11520, 0,
    /// 1509978240, 1215971899390074240 (rand_xoshiro and others carry it).
    @Test func `the generator reference gives the published xoshiro256 vector`() {
        var reference = Reference(key: 0)
        reference.state = [1, 2, 3, 4]
        let first = (0..<4).map { _ in reference.next() }
        #expect(first == [11_520, 0, 1_509_978_240, 1_215_971_899_390_074_240])
    }

    @Test(arguments: [0, 1, 42, .max]) func `a stream is the published generator`(key: UInt64) {
        var stream = RandomStream(key: key)
        var reference = Reference(key: key)
        for _ in 0..<1_000 {
            let (draw, expected) = (stream.next(), reference.next())
            #expect(draw == expected)
        }
    }

    @Test func `streams of other purposes, entities, domains and seeds differ`() {
        func first(_ seed: UInt64, _ a: String, _ b: String, _ c: String) -> UInt64 {
            var stream = Simulation(seed: seed).stream(a, entity: b, purpose: c)
            return stream.next()
        }
        let draws = [
            first(1, "network", "wifi", "loss"), first(2, "network", "wifi", "loss"),
            first(1, "disk", "wifi", "loss"), first(1, "network", "lte", "loss"),
            first(1, "network", "wifi", "jitter"),
            // The parts are delimited: moving a letter across the border is another stream.
            first(1, "network", "wifil", "oss"),
        ]
        #expect(Set(draws).count == draws.count)
        #expect(first(1, "network", "wifi", "loss") == draws[0])
    }

    @Test func `a draw below a bound is uniform and never reaches it`() {
        var stream = RandomStream(key: 3)
        var counts = [Int](repeating: 0, count: 7)
        for _ in 0..<70_000 { counts[Int(stream.below(7))] += 1 }
        // 10,000 each; the standard deviation is sqrt(70,000 * 1/7 * 6/7) = 92.6, five of them 463.
        for count in counts { #expect(abs(count - 10_000) < 463) }
    }

    @Test func `an integer range gives both of its ends, also over all of Int64`() {
        var stream = RandomStream(key: 4)
        var seen: Set<Int64> = []
        for _ in 0..<200 { seen.insert(stream.integer(in: -1...1)) }
        #expect(seen == [-1, 0, 1])
        var negatives = 0
        for _ in 0..<1_000 where stream.integer(in: .min ... .max) < 0 { negatives += 1 }
        // Half of 1,000; the standard deviation is 15.8.
        #expect(abs(negatives - 500) < 80)
    }

    @Test func `an exponential span has its mean and its variance`() {
        var stream = RandomStream(key: 5)
        let count = 100_000
        var sum = 0.0
        var squares = 0.0
        var above = 0
        for _ in 0..<count {
            let draw = stream.exponential(mean: .seconds(2)).inSeconds
            sum += draw
            squares += draw * draw
            if draw > 2 { above += 1 }
        }
        let mean = sum / Double(count)
        // The mean of n draws has a standard error of 2 / sqrt(100,000) = 0.00632; five are 0.032.
        #expect(abs(mean - 2) < 0.032)
        // E[x^2] = 2 * 2^2 = 8; its standard error is sqrt(24 - 4) * 4 / sqrt(n) = 0.0566; five are 0.28.
        #expect(abs(squares / Double(count) - 8) < 0.28)
        // P(x > mean) = 1/e = 0.36788; standard error 0.00152.
        #expect(abs(Double(above) / Double(count) - 0.367_88) < 0.008)
    }

    @Test func `a chance happens as often as it says`() {
        var stream = RandomStream(key: 6)
        var hits = 0
        for _ in 0..<100_000 where stream.happens(.percent(2)) { hits += 1 }
        // 2,000; the standard deviation is sqrt(100,000 * 0.02 * 0.98) = 44.3, five of them 221.
        #expect(abs(hits - 2_000) < 221)
        for _ in 0..<100 {
            let (never, always) = (stream.happens(.never), stream.happens(.always))
            #expect(!never && always)
        }
    }

    @Test func `spans and sizes stay in their range, ends included`() throws {
        var stream = RandomStream(key: 8)
        let sizes = QuantityRange(ByteCount(3), ByteCount(5))
        var seen: Set<Int64> = []
        for _ in 0..<200 { seen.insert(stream.size(in: sizes).bytes) }
        #expect(seen == [3, 4, 5])
        let spans = QuantityRange(Duration.nanoseconds(7), Duration.nanoseconds(8))
        var lengths: Set<Int64> = []
        for _ in 0..<100 { lengths.insert(stream.duration(in: spans).wholeNanoseconds) }
        #expect(lengths == [7, 8])
    }
}
