/// A stream of random numbers of one purpose, keyed and never shared.
///
/// xoshiro256** (Blackman and Vigna, 2018), its state filled by SplitMix64 from the key. Algorithms
/// for ranges are our own, so that a toolchain cannot move a draw.
package struct RandomStream: Sendable {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    /// Makes the stream of `key`.
    package init(key: UInt64) {
        var state = key
        a = Self.splitMix(&state)
        b = Self.splitMix(&state)
        c = Self.splitMix(&state)
        d = Self.splitMix(&state)
    }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        let scrambled = b &* 5
        let result = (scrambled << 7 | scrambled >> 57) &* 9
        let shifted = b << 17
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = d << 45 | d >> 19
        return result
    }

    /// A uniform draw below `bound`; traps at zero.
    ///
    /// Multiply-shift with rejection (Lemire, 2019).
    package mutating func below(_ bound: UInt64) -> UInt64 {
        precondition(bound > 0, "nothing lies below zero")
        var product = next().multipliedFullWidth(by: bound)
        if product.low < bound {
            let threshold = (0 &- bound) % bound
            while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
        }
        return product.high
    }

    /// A uniform draw from `range`, both ends included.
    package mutating func integer(in range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        guard width < .max else { return Int64(bitPattern: next()) }
        return range.lowerBound &+ Int64(bitPattern: below(width + 1))
    }

    static func splitMix(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
