import Quantities

/// Whether a launch had the time to store what it was told.
struct StoringTime {
    /// When the disk refused it something.
    let refusals: [ClosedRange<SimulationInstant>]
    /// The longest wait of the app's retries.
    let ceiling: Duration

    /// Whether a client that heard something at `heard` could have stored it before it died.
    ///
    /// A second is enough: an assumption, far above any commit. What was refused meanwhile is tried again
    /// after waits that double up to the ceiling: so as long again as the refusals have lasted, or the
    /// ceiling, may go by until the next try.
    func wasEnough(from heard: SimulationInstant, to death: SimulationInstant) -> Bool {
        var free = heard
        for span in refusals where span.upperBound >= heard {
            guard span.lowerBound < due(after: free, heard: heard) else { break }
            free = max(free, span.upperBound)
        }
        return due(after: free, heard: heard) <= death
    }

    private func due(after free: SimulationInstant, heard: SimulationInstant) -> SimulationInstant {
        free + min(free - heard, ceiling) + .seconds(1)
    }
}
