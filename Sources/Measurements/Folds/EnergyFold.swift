import Quantities
import Trace

/// The whole phone's energy by owner, the app's share of the battery, and wake-ups.
struct EnergyFold: MeasurementFold {
    /// Owners that are the phone itself: idle radios, the screen, the base.
    static let systemOwners: Set<String> = ["", "system", "idle", "base", "screen"]

    /// The battery of one phone.
    let capacity: BatteryCapacity?
    /// How many phones there are: shares and wake-ups are those of the mean phone.
    private let phones: Double
    private var isTouched = false
    private var isPhoneTouched = false
    private var total = Energy.zero
    private var wakeups = 0
    private var accounts: [String: Account] = [:]

    private struct Account {
        var active = Energy.zero
        var tail = Energy.zero
        var other = Energy.zero
    }

    /// Owners that are neither the phone nor the app.
    private let others: Set<String>

    init(capacity: BatteryCapacity?, others: Set<String> = [], phones: Int = 1) {
        precondition(phones > 0, "a share of \(phones) phones is nobody's")
        self.phones = Double(phones)
        self.capacity = capacity
        self.others = others
    }

    mutating func observe(_ record: TraceRecord) {
        switch record.observation {
        case .radioInterval(let interval):
            isTouched = true
            total += interval.energy
            for share in interval.shares where share.energy != .zero {
                if interval.kind == .idle {
                    accounts[share.owner, default: Account()].other += share.energy
                } else if interval.kind == .tail {
                    accounts[share.owner, default: Account()].tail += share.energy
                } else {
                    accounts[share.owner, default: Account()].active += share.energy
                }
            }
        case .energyDrawn(let entry):
            isTouched = true
            total += entry.energy
            let isSystem = entry.consumer == .screen || entry.consumer == .base
            let owner = isSystem && entry.owner.isEmpty ? entry.consumer.rawValue : entry.owner
            accounts[owner, default: Account()].other += entry.energy
        case .deviceWoke(let cause):
            isPhoneTouched = true
            if cause != .user { wakeups += 1 }
        default:
            return
        }
    }

    func readings(at end: SimulationInstant) -> [MetricReading] {
        var readings: [MetricReading] = []
        let day: Int64 = 86_400_000_000_000
        let perDay = end.nanoseconds >= day ? Double(day) / Double(end.nanoseconds) : nil
        if isTouched {
            readings.append(MetricReading("energy.total_j", energy: total))
            if let capacity {
                let share = capacity.percentage(of: appEnergy) / phones
                readings.append(MetricReading(MetricName("battery.app_share_pct"), share))
                if let perDay {
                    readings.append(
                        MetricReading(
                            MetricName("battery.app_share_pct_per_day"),
                            share * perDay
                        )
                    )
                }
            }
        }
        if isPhoneTouched {
            let each = Double(wakeups) / phones
            readings.append(MetricReading(MetricName("device.wakeups"), each))
            if let perDay {
                readings.append(
                    MetricReading(
                        MetricName("device.wakeups_per_day"),
                        each * perDay
                    )
                )
            }
        }
        return readings
    }

    private var appEnergy: Energy {
        var sum = Energy.zero
        for (owner, account) in accounts
        where !Self.systemOwners.contains(owner) && !others.contains(owner) {
            sum += account.active + account.tail + account.other
        }
        return sum
    }

    /// Who drew how much, largest first, then by name.
    var operations: [OperationEnergy] {
        accounts.map { owner, account in
            OperationEnergy(
                owner: owner,
                activeNanojoules: account.active.nanojoules,
                tailNanojoules: account.tail.nanojoules,
                otherNanojoules: account.other.nanojoules
            )
        }
        .sorted {
            $0.totalNanojoules != $1.totalNanojoules
                ? $0.totalNanojoules > $1.totalNanojoules : $0.owner < $1.owner
        }
    }
}
