import Foundation

/// How wide sweeps go: a few seeds, so that a change is judged in minutes, or all of them.
///
/// `ONEBAR_SWEEP=wide scripts/test` takes all; the expected values hold for either.
enum Sweep {
    static let isWide = ProcessInfo.processInfo.environment["ONEBAR_SWEEP"] == "wide"

    /// The seeds from 1 on: `quick` of them, or `wide`.
    static func seeds(quick: UInt64, wide: UInt64) -> [UInt64] {
        Array(1...(isWide ? wide : quick))
    }
}
