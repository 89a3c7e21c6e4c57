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

    /// Keeps files too: no defect, but what those below are put into.
    static let keepsFiles = Self(rawValue: 1 << 5)
    /// What came is stored before anybody looked at it, and a file that shows nothing stays where it is.
    static let damageStays = Self(rawValue: 1 << 6)
    /// A file is written under its own name as it comes, and what ends on the way leaves a part of it.
    static let writtenAsItComes = Self(rawValue: 1 << 7)
    /// A 404 is remembered for ever.
    static let refusedForEver = Self(rawValue: 1 << 8)
    /// A picture that cannot be stored is not shown either.
    static let storedOrNotShown = Self(rawValue: 1 << 9)
    /// What is on disk is known by an index that is written as the app goes out of sight.
    static let indexWrittenOnLeaving = Self(rawValue: 1 << 10)
    /// What is prefetched and what somebody looks at stand in one line.
    static let oneLine = Self(rawValue: 1 << 11)
}
