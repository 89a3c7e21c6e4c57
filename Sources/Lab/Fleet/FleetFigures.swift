import Profiles
import Quantities
import Trace

/// What only a fleet has: when requests reach the server, and what each phone's radios drew.
final class FleetFigures: ObservationSink {
    /// The length of a window: DESIGN section 9 counts `server.peak_requests` in 100 ms.
    static let window = Duration.milliseconds(100)

    /// Requests by window, from the run's start to the last one that had any.
    private(set) var counts: [Int] = []
    private var energies: [Int: Energy] = [:]

    func observe(_ record: TraceRecord) {
        switch record.observation {
        case .serverRequest:
            let index = Int(record.instant.nanoseconds / Self.window.wholeNanoseconds)
            while counts.count <= index { counts.append(0) }
            counts[index] += 1
        case .radioInterval(let interval) where interval.kind != .idle:
            energies[record.device, default: .zero] += interval.energy
        default:
            return
        }
    }

    /// Packets are no requests, and most of what is observed are packets.
    var takesPackets: Bool { false }

    func finish(at end: SimulationInstant) {}

    /// The windows that begin at or after `instant`; none if no request came then.
    func counts(from instant: Duration) -> [Int] {
        let window = Self.window.wholeNanoseconds
        let first = Int((instant.wholeNanoseconds + window - 1) / window)
        return Array(counts.dropFirst(first))
    }

    /// What is measured of a run that is over.
    ///
    /// `fleet.recovery_requests` counts requests by window after the last timed fault is over;
    /// `fleet.phone_energy_j` is what the radios of each phone drew when they were not idle.
    func measures(of scenario: Scenario) -> [Observation] {
        let healed = scenario.faults.compactMap(\.latestEnd).max() ?? .zero
        let herd = counts(from: healed).map { count in
            Observation.measured(name: "fleet.recovery_requests", value: Double(count))
        }
        guard let fleet = scenario.scenario.fleet, fleet.isOfPhones else { return herd }
        return herd
            + (1...fleet.clients).map { device in
                let energy = energies[device] ?? .zero
                return .measured(name: "fleet.phone_energy_j", value: energy.inJoules)
            }
    }
}
