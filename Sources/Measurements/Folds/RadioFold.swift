import Quantities
import Trace

/// Time, promotions and energy of all radios.
struct RadioFold: MeasurementFold {
    /// The energy that the radios drew in the same seed without the app, if that run was made.
    let counterfactual: Energy?
    private var isTouched = false
    private var promotionTime: Int64 = 0
    private var activeTime: Int64 = 0
    private var tailTime: Int64 = 0
    private var promotions = 0
    private var onEnergy = Energy.zero
    private var tailEnergy = Energy.zero
    private(set) var totalEnergy = Energy.zero
    /// The kind of the last interval of each radio, by device; a phone has few, so a list.
    private var last: [Int: [(radio: String, kind: RadioInterval.Kind)]] = [:]

    init(counterfactual: Energy?) {
        self.counterfactual = counterfactual
    }

    mutating func observe(_ record: TraceRecord) {
        guard case .radioInterval(let interval) = record.observation else { return }
        isTouched = true
        totalEnergy += interval.energy
        let length = (interval.end - interval.start).wholeNanoseconds
        let before = remember(interval.kind, of: interval.radio, on: record.device)
        switch interval.kind {
        case .idle:
            return
        case .promotion:
            promotionTime += length
            promotions += 1
        case .active:
            activeTime += length
            if before == .idle { promotions += 1 }
        case .tail:
            tailTime += length
            tailEnergy += interval.energy
            if before == .idle { promotions += 1 }
        }
        onEnergy += interval.energy
    }

    /// Stores the kind and gives the one before; a radio begins idle.
    private mutating func remember(
        _ kind: RadioInterval.Kind,
        of radio: String,
        on device: Int
    ) -> RadioInterval.Kind {
        guard let index = last[device]?.firstIndex(where: { $0.radio == radio }) else {
            last[device, default: []].append((radio, kind))
            return .idle
        }
        let before = last[device]?[index].kind ?? .idle
        last[device]?[index].kind = kind
        return before
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        guard isTouched else { return [] }
        var readings = [
            MetricReading("radio.on_s", nanoseconds: promotionTime + activeTime + tailTime),
            MetricReading("radio.active_s", nanoseconds: activeTime),
            MetricReading("radio.tail_s", nanoseconds: tailTime),
            MetricReading("radio.promotions", count: promotions),
            MetricReading("radio.energy_j", energy: onEnergy),
            MetricReading("radio.tail_energy_j", energy: tailEnergy),
        ]
        if let counterfactual {
            readings.append(
                MetricReading("radio.marginal_energy_j", energy: totalEnergy - counterfactual)
            )
        }
        return readings
    }
}
