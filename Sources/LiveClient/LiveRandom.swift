import ClientModules

/// The system's random numbers.
public struct LiveRandom: ClientRandom {
    /// Makes a source.
    public init() {}

    /// 64 random bits.
    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
