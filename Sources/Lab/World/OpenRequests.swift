import Quantities
import Trace

/// Requests that the app has sent and not heard of again: what it may be waiting for at the end.
final class OpenRequests: ObservationSink {
    /// One request without an end.
    struct Entry {
        let number: Int64
        let route: String
        let sent: SimulationInstant
    }

    private(set) var entries: [Entry] = []

    /// Takes in where requests begin and end; a death ends them all.
    func observe(_ record: TraceRecord) {
        switch record.observation {
        case .requestStarted(let start):
            entries.append(
                Entry(number: start.request, route: start.route, sent: record.instant)
            )
        case .requestEnded(let end):
            entries.removeAll { $0.number == end.request }
        case .processEnded:
            entries = []
        default:
            break
        }
    }

    /// No request is a packet.
    var takesPackets: Bool { false }

    /// Nothing to do: it is asked before the end.
    func finish(at end: SimulationInstant) {}

    /// What a launch waits for, in words: requests, and timers that are due after `end`.
    func waits(timers: [SimulationInstant]) -> [String] {
        var waits = entries.prefix(4).map {
            "the answer to request \($0.number), \($0.route), sent at \($0.sent)"
        }
        if entries.count > 4 { waits.append("the answers to \(entries.count - 4) more requests") }
        waits += timers.prefix(3).map { "a timer that is due at \($0)" }
        if timers.count > 3 { waits.append("\(timers.count - 3) more timers") }
        return waits.isEmpty ? ["nothing that could wake it"] : waits
    }
}
