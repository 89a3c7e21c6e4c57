/// Mistakes that image caches shipped, to be put into one that is right without them.
struct ImageDefects: OptionSet, Sendable {
    let rawValue: Int

    /// Keeps so many bitmaps, whatever they occupy.
    static let capByCount = Self(rawValue: 1 << 0)
    /// The first size that is asked for is the one for all.
    static let keyedByURLOnly = Self(rawValue: 1 << 1)
    /// What scrolled by is fetched and decoded all the same.
    static let noCancellation = Self(rawValue: 1 << 2)
    /// Decodes what came, at the size it came in.
    static let decodedAtSourceSize = Self(rawValue: 1 << 3)
    /// Whoever cancels is told so at once; the transfer goes on, and the decoding after it.
    static let callbackCancelledNotTransfer = Self(rawValue: 1 << 4)
}
