import Quantities

extension RandomStream {
    /// Whether an event of this chance happens; one draw, whatever the chance.
    package mutating func happens(_ chance: Probability) -> Bool {
        chance.holds(forDraw: next())
    }

    /// A uniform span between the ends, in whole nanoseconds.
    package mutating func duration(in range: QuantityRange<Duration>) -> Duration {
        .nanoseconds(
            integer(in: range.lower.wholeNanoseconds...range.upper.wholeNanoseconds)
        )
    }

    /// A uniform size between the ends, in whole bytes.
    package mutating func size(in range: QuantityRange<ByteCount>) -> ByteCount {
        ByteCount(integer(in: range.lower.bytes...range.upper.bytes))
    }

    /// An exponential span of the given mean, in whole nanoseconds.
    ///
    /// Von Neumann's comparison method (1951), which needs no logarithm and so no libm: exact to
    /// 2^-64 of the mean.
    package mutating func exponential(mean: Duration) -> Duration {
        var wholes: UInt64 = 0
        while true {
            let first = next()
            var previous = first
            var count = 1
            while true {
                let draw = next()
                guard draw < previous else { break }
                previous = draw
                count += 1
            }
            if count % 2 == 1 {
                let scale = UInt64(mean.wholeNanoseconds)
                let fraction = scale.multipliedFullWidth(by: first).high
                return .nanoseconds(Int64(scale &* wholes &+ fraction))
            }
            wholes += 1
        }
    }
}
