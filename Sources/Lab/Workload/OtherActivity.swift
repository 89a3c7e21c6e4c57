import Profiles
import Quantities
import SimulationKernel

/// One use of the radio by another app: follows from profile and seed alone, not from what the app does.
struct OtherActivity: Sendable, Equatable {
    let owner: String
    let start: SimulationInstant
    let lasts: Duration

    /// When it ends, which is when an app can ride on it.
    var end: SimulationInstant { start + lasts }

    /// All of them that begin before `end`, in order of time.
    static func plan(
        _ apps: [OtherTraffic],
        on phone: PhoneIdentity = .only,
        until end: SimulationInstant,
        simulation: Simulation
    ) -> [OtherActivity] {
        var activities: [OtherActivity] = []
        for app in apps {
            let entity = phone.prefix + app.owner
            var draws = simulation.stream("other", entity: entity, purpose: "activity")
            for due in instants(of: app.schedule, until: end, &draws) {
                activities.append(
                    OtherActivity(
                        owner: app.owner,
                        start: due,
                        lasts: draws.duration(in: app.lasts)
                    )
                )
            }
        }
        return activities.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }

    private static func instants(
        of schedule: WorkloadSchedule,
        until end: SimulationInstant,
        _ draws: inout RandomStream
    ) -> [SimulationInstant] {
        switch schedule {
        case .at(let instants):
            return instants.map { .zero + $0 }.filter { $0 < end }
        case .every(let interval, let from, let count):
            var due = SimulationInstant.zero + from
            var all: [SimulationInstant] = []
            while due < end, all.count < count {
                all.append(due)
                due += draws.duration(in: interval)
            }
            return all
        case .drawn(let interval, let from, let counts):
            let spread = UInt64(clamping: counts.upperBound - counts.lowerBound) + 1
            let count = counts.lowerBound + Int(draws.below(spread))
            var due = SimulationInstant.zero + draws.duration(in: from)
            var all: [SimulationInstant] = []
            while due < end, all.count < count {
                all.append(due)
                due += draws.duration(in: interval)
            }
            return all
        case .with:
            return []
        }
    }
}
