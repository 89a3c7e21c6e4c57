import Foundation

/// Percentiles of the normal distribution and of Student's t.
enum StudentT {
    /// The 99.5th percentile of the normal distribution.
    static let normal995 = 2.575_829
    /// The 95th percentile of the normal distribution.
    static let normal95 = 1.644_854

    /// The 99.5th percentile of Student's t with `freedom` degrees, by the expansion in 1/freedom.
    ///
    /// Abramowitz and Stegun, 26.7.5, four terms; exact formulas for 1 and 2 degrees. Off by less
    /// than 1 % from 3 degrees on.
    static func percentile995(freedom: Int) -> Double {
        precondition(freedom > 0, "Student's t needs a degree of freedom")
        if freedom == 1 { return 63.656_74 }
        if freedom == 2 { return 9.924_843 }
        return expanded(normal995, freedom: freedom)
    }

    /// The value that Student's t with `freedom` degrees exceeds with chance `tail`, below a half.
    ///
    /// The normal percentile by Abramowitz and Stegun, 26.2.23 (off by less than 0.00045), expanded
    /// as above; exact formulas for 1 and 2 degrees.
    static func percentile(tail: Double, freedom: Int) -> Double {
        precondition(tail > 0 && tail < 0.5, "a tail of \(tail)")
        if freedom == 1 { return 1 / (Double.pi * tail) }
        if freedom == 2 { return (1 - 2 * tail) * (1 / (2 * tail * (1 - tail))).squareRoot() }
        return expanded(normal(tail: tail), freedom: freedom)
    }

    private static func normal(tail: Double) -> Double {
        let t = (-2 * log(tail)).squareRoot()
        let above = 2.515_517 + 0.802_853 * t + 0.010_328 * t * t
        let below = 1 + 1.432_788 * t + 0.189_269 * t * t + 0.001_308 * t * t * t
        return t - above / below
    }

    private static func expanded(_ x: Double, freedom: Int) -> Double {
        let (x3, x5, x7, x9) = (x * x * x, power(x, 5), power(x, 7), power(x, 9))
        let n = Double(freedom)
        let first = (x3 + x) / 4
        let second = (5 * x5 + 16 * x3 + 3 * x) / 96
        let third = (3 * x7 + 19 * x5 + 17 * x3 - 15 * x) / 384
        let fourth = (79 * x9 + 776 * x7 + 1_482 * x5 - 1_920 * x3 - 945 * x) / 92_160
        return x + first / n + second / (n * n) + third / power(n, 3) + fourth / power(n, 4)
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1.0) { value, _ in value * base }
    }
}
