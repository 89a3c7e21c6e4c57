import Quantities
import Trace

/// Launches and ends of the app's process.
struct ProcessFold: MeasurementFold {
    private var starts = 0
    private var systemKills = 0
    private var injectedKills = 0
    private var memoryKills = 0

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .processLaunched:
            starts += 1
        case .processEnded(_, let cause):
            switch cause {
            case .injectedKill, .forceQuit, .powerLoss: injectedKills += 1
            case .systemKill, .lockHeldInSuspension, .backgroundTimeOver: systemKills += 1
            case .memoryCap: memoryKills += 1
            case .crash, .runEnded: break
            }
        default:
            break
        }
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard starts > 0 else { return [] }
        return [
            MetricReading("process.cold_starts", count: starts),
            MetricReading("process.os_kills", count: systemKills),
            MetricReading("process.injected_kills", count: injectedKills),
            MetricReading("process.memory_kills", count: memoryKills),
        ]
    }
}
