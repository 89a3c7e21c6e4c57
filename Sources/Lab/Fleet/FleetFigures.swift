import Profiles
import Quantities
import Trace

/// What only a fleet has: when requests reach the server, and what each phone's radios drew.
final class FleetFigures: ObservationSink {
    /// The length of a window: DESIGN section 9 counts `server.peak_requests` in 100 ms.
    static let window = Duration.milliseconds(100)

    /// Requests by window, from the run's start to the last one that had any.
    private(set) var counts: [UInt32] = []
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
    private func counts(from instant: Duration) -> ArraySlice<UInt32> {
        let window = Self.window.wholeNanoseconds
        let first = Int((instant.wholeNanoseconds + window - 1) / window)
        return counts.dropFirst(first)
    }

    /// Tells what is measured of a run that is over.
    ///
    /// `fleet.recovery_requests` counts requests by window after the last timed fault is over;
    /// `fleet.phone_energy_j` is what the radios of each phone drew when they were not idle. One by one:
    /// an hour has 36,000 windows, and an observation takes twenty times the room of a count.
    func tell(of scenario: Scenario, to report: (Observation) -> Void) {
        let healed = scenario.faults.compactMap(\.latestEnd).max() ?? .zero
        for count in counts(from: healed) {
            report(.measured(name: "fleet.recovery_requests", value: Double(count)))
        }
        guard let fleet = scenario.scenario.fleet, fleet.isOfPhones else { return }
        for device in 1...fleet.clients {
            let energy = energies[device] ?? .zero
            report(.measured(name: "fleet.phone_energy_j", value: energy.inJoules))
        }
    }
}
