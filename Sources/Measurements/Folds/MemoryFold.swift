import Quantities
import Trace

/// The largest memory charged to the app on any device.
struct MemoryFold: MeasurementFold {
    private var peak: Int64?

    mutating func observe(_ record: TraceRecord) {
        guard case .memoryChanged(let use) = record.observation else { return }
        peak = max(peak ?? 0, use.total.bytes)
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard let peak else { return [] }
        return [MetricReading("memory.accounted_peak_bytes", bytes: peak)]
    }
}
