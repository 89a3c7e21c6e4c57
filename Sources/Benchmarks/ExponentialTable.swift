#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The generator and the draws that the peers use, so that all do the same work.
///
/// xorshift64* seeded through one SplitMix64 step; 65,536 draws of Exp(1) in nanoseconds, plus one.
struct ExponentialTable {
    /// The draws, in nanoseconds.
    let nanoseconds: [Int64]
    /// Turns a running count into an index.
    static let mask = 65_535

    init(seed: UInt64 = 1) {
        var generator = PeerGenerator(seed: seed)
        nanoseconds = (0...Self.mask).map { _ in Int64(generator.exponential() * 1e9) + 1 }
    }
}

/// xorshift64*, as the peers have it.
struct PeerGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        state = (mixed ^ mixed >> 31) | 1
    }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func unit() -> Double { Double(next() >> 11) * (1.0 / 9_007_199_254_740_992.0) }

    mutating func exponential() -> Double { -log(1.0 - unit()) }
}
