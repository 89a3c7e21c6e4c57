import Quantities
import Trace

/// What the app did to its disk.
struct StorageFold: MeasurementFold {
    private var peak: Int64?
    private var written: Int64 = 0
    private var syncs = 0
    private var commits = 0
    private var isTouched = false

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .diskWritten(_, let size): written += size.bytes
        case .diskSynced: syncs += 1
        case .diskUsed(let size): peak = max(peak ?? 0, size.bytes)
        case .committed: commits += 1
        default: return
        }
        isTouched = true
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard isTouched else { return [] }
        var readings = [
            MetricReading("storage.written_bytes", bytes: written),
            MetricReading("storage.syncs", count: syncs),
            MetricReading("storage.commits", count: commits),
        ]
        if let peak { readings.append(MetricReading("storage.peak_bytes", bytes: peak)) }
        return readings
    }
}
