import Quantities
import Trace

/// Counts the requests that reach the server in each window of a run.
final class FleetArrivals: ObservationSink {
    /// The length of a window: DESIGN section 9 counts `server.peak_requests` in 100 ms.
    static let window = Duration.milliseconds(100)

    /// Requests by window, from the run's start to the last one that had any.
    private(set) var counts: [Int] = []

    func observe(_ record: TraceRecord) {
        guard case .serverRequest = record.observation else { return }
        let index = Int(record.instant.nanoseconds / Self.window.wholeNanoseconds)
        while counts.count <= index { counts.append(0) }
        counts[index] += 1
    }

    func finish(at end: SimulationInstant) {}

    /// The windows that begin at or after `instant`; none if no request came then.
    func counts(from instant: Duration) -> [Int] {
        let window = Self.window.wholeNanoseconds
        let first = Int((instant.wholeNanoseconds + window - 1) / window)
        return Array(counts.dropFirst(first))
    }
}
