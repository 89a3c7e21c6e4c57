/// How much a run may do before it is called endless.
package struct EventBudget: Hashable, Sendable {
    /// Events in the whole life of the world.
    package var total: UInt64
    /// Events without time moving on: more is a livelock.
    package var sameInstant: UInt64

    /// Makes a budget; by default no total, and ten million events at one instant (assumption: a
    /// hundred thousand clients that start together need a few million).
    package init(total: UInt64 = .max, sameInstant: UInt64 = 10_000_000) {
        self.total = total
        self.sameInstant = sameInstant
    }
}
