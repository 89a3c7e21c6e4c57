import Quantities

/// Holds up what an app starts after it was relaunched out of sight, longer each time.
///
/// 60 s, then twice as long with each relaunch; back to the first when its person opens the app, or
/// when the wait has passed and nothing was started (`radio.md` C.10).
package struct RelaunchLimiter: Equatable, Sendable {
    private let first: Duration
    private var next: Duration
    private var until = SimulationInstant.zero
    private var wasUsed = true

    /// Makes a limiter that holds nothing up yet.
    package init(first: Duration) {
        self.first = first
        next = first
    }

    /// The app was relaunched, or woken, out of sight to be told of results.
    package mutating func relaunched(at instant: SimulationInstant) {
        if !wasUsed, instant >= until { next = first }
        until = instant + next
        next = next * 2
        wasUsed = false
    }

    /// Its person opened the app.
    package mutating func opened() {
        next = first
        until = .zero
        wasUsed = true
    }

    /// When a transfer that is started now may begin.
    package mutating func begin(at instant: SimulationInstant) -> SimulationInstant {
        wasUsed = wasUsed || instant < until
        return max(instant, until)
    }
}
