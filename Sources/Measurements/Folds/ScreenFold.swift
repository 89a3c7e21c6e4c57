import Quantities
import Trace

/// Pictures and frames.
struct ScreenFold: MeasurementFold {
    private var servings: [ImageServing.Source: Int] = [:]
    private var waits: [Int64] = []
    private var decoded: Int64 = 0
    private var held: Int64 = 0
    private var hasImages = false
    private var hasFrames = false
    private var dropped = 0
    private var hitch: Int64 = 0
    private var foregroundSince: SimulationInstant?
    private var foregroundTime: Int64 = 0

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .imageServed(let serving):
            hasImages = true
            servings[serving.source, default: 0] += 1
            if serving.isVisible { waits.append(serving.wait.wholeNanoseconds) }
        case .imageDecoded(let size):
            hasImages = true
            decoded += size.bytes
        case .bitmapsHeld(let size):
            hasImages = true
            held = max(held, size.bytes)
        case .framesDropped(let count, let late):
            hasFrames = true
            dropped += count
            hitch += late.wholeNanoseconds
        case .appStateChanged(let state):
            if let since = foregroundSince {
                foregroundTime += (record.instant - since).wholeNanoseconds
            }
            foregroundSince = state == .foreground ? record.instant : nil
        default:
            return
        }
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        frames(at: end) + images()
    }

    private func frames(at end: SimulationInstant) -> [MetricReading] {
        guard hasFrames else { return [] }
        var readings = [MetricReading("frames.dropped", count: dropped)]
        let shown = foregroundTime + (foregroundSince.map { (end - $0).wholeNanoseconds } ?? 0)
        if shown > 0 {
            let late = Double(hitch) / 1e6 / (Double(shown) / 1e9)
            readings.append(MetricReading(MetricName("frames.hitch_ms_per_s"), late))
        }
        return readings
    }

    private func images() -> [MetricReading] {
        guard hasImages else { return [] }
        let requests = servings.values.reduce(0, +)
        var readings = [
            MetricReading("image.requests", count: requests),
            MetricReading("image.network_fetches", count: servings[.network] ?? 0),
            MetricReading("image.decoded_total_bytes", bytes: decoded),
            MetricReading("image.bitmap_peak_bytes", bytes: held),
        ]
        if requests > 0 {
            for (name, source) in [
                ("image.memory_hit_pct", ImageServing.Source.memory),
                ("image.disk_hit_pct", .disk),
            ] {
                let share = Double(servings[source] ?? 0) / Double(requests) * 100
                readings.append(MetricReading(MetricName(name), share))
            }
        }
        if !waits.isEmpty {
            readings.append(
                MetricReading(
                    MetricName("image.visible_wait_ms"),
                    samples: waits.map { Double($0) / 1e6 }
                )
            )
        }
        return readings
    }
}
