import Measurements

/// What the person was told of their actions, held against the server's truth.
///
/// An action that returned is promised, one that threw was told, one that a kill cut is unknown: then no
/// effect is right, and one is. One that has not returned by the end is none of them. Sums over all runs of a test.
public struct ActionHistory: Sendable, Equatable {
    /// Actions that returned.
    public internal(set) var promised = 0
    /// Actions that threw, or of which the app said later that they will not happen.
    public internal(set) var told = 0
    /// Actions that a kill cut, or that the app gave up without knowing.
    public internal(set) var unknown = 0
    /// Promised actions without an effect.
    public internal(set) var lost = 0
    /// Effects beyond the first of an action.
    public internal(set) var duplicated = 0
    /// Effects that came before that of an earlier action on the same entity.
    public internal(set) var reordered = 0
    /// Effects that nobody asked for.
    public internal(set) var phantom = 0

    mutating func add(_ counts: GuaranteeCounts) {
        promised += counts.promised
        told += counts.told
        unknown += counts.unknown
        lost += counts.lost
        duplicated += counts.duplicated
        reordered += counts.reordered
        phantom += counts.phantom
    }
}
