import Quantities
import SimulationKernel

/// When a phone's storage took no change, through no fault of the app.
///
/// A full disk, files that a locked phone protects, a database that another process writes to.
struct StorageRefusals {
    private var spans: [Range<SimulationInstant>] = []

    /// From `start` on it takes nothing for as long.
    mutating func begin(at start: SimulationInstant, for span: Duration) {
        spans.append(start..<start + span)
    }

    /// Whether a launch that died at `death` had the time to store what it was told at `heard`.
    ///
    /// A second is enough: an assumption, far above any commit. What was refused meanwhile is tried again
    /// after waits that double, so as long again as the refusal lasted may go by until it is stored.
    func hadTimeToStore(heard: SimulationInstant, death: SimulationInstant) -> Bool {
        var free = heard
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound })
        where span.lowerBound < free + .seconds(1) {
            free = max(free, span.upperBound)
        }
        let refused = free - heard
        return free + refused + .seconds(1) <= death
    }
}
