import CaptureAnalysis
import Measurements
import PhoneModel
import Profiles
import Quantities
import Trace

/// Keeps what crossed the radios of one run, to say at its end what would have saved most.
///
/// Memory: 24 bytes a packet.
final class AdviceRecorder: ObservationSink {
    /// A use of the radio that was declared: it has no packets.
    struct Activity {
        let owner: String
        let start: SimulationInstant
        let lasts: Duration
    }

    /// Declared activity is searched as packets without bytes, so far apart at most.
    private static let step: Int64 = 50_000_000
    /// Stretches of one activity at most: longer ones are told by fewer packets.
    private static let mostSteps: Int64 = 200

    private let stamp: CaptureWriter.Stamp
    private let activities: [Activity]
    private let others: Set<String>
    private var owners: [String] = []
    private var numbers: [String: Int32] = [:]
    private var packets: [RadioInterface: [TrafficPacket]] = [:]
    private var changes: [(at: SimulationInstant, interface: RadioInterface)] = []
    private var end = SimulationInstant.zero

    init(activities: [Activity], others: Set<String>, stamp: @escaping CaptureWriter.Stamp) {
        self.activities = activities
        self.others = others
        self.stamp = stamp
    }

    func observe(_ record: TraceRecord) {
        switch record.observation {
        case .pathChanged(let change):
            guard let interface = RadioInterface(rawValue: change.interface) else { return }
            changes.append((record.instant, interface))
        case .packet(let crossing):
            let interface = changes.last?.interface ?? .cellular
            let time = stamp(interface, crossing, record.instant)
            packets[interface, default: []].append(
                TrafficPacket(
                    time: time.nanoseconds,
                    crossing.direction,
                    size: crossing.size,
                    payload: crossing.payload,
                    label: crossing.payload > 0 ? .data : .ack,
                    owner: number(of: crossing.owner)
                )
            )
        default:
            return
        }
    }

    func finish(at end: SimulationInstant) {
        self.end = end
        for activity in activities {
            let interface = changes.last { $0.at <= activity.start }?.interface ?? .cellular
            let owner = number(of: activity.owner)
            let span = activity.lasts.wholeNanoseconds
            let step = max(Self.step, span / Self.mostSteps)
            var offset: Int64 = 0
            while true {
                packets[interface, default: []].append(
                    TrafficPacket(
                        time: activity.start.nanoseconds + offset,
                        .up,
                        size: 0,
                        payload: 0,
                        label: .data,
                        owner: owner
                    )
                )
                guard offset < span else { break }
                offset = min(offset + step, span)
            }
        }
    }

    /// The best changes over all radios, largest first; to be asked after `finish`.
    func advice(_ radios: [(RadioInterface, RadioModel)], most: Int) -> [EnergyAdvice] {
        let search = OperationAdvice(owners: owners, others: others)
        var found: [CaptureAdvice] = []
        for (interface, radio) in radios {
            let traffic = Traffic(packets: packets[interface] ?? [], length: end.nanoseconds)
            found += search.find(in: traffic, on: radio, most: most)
        }
        return found.sorted { ($1.savedJoules, $0.message) < ($0.savedJoules, $1.message) }
            .prefix(most)
            .map {
                EnergyAdvice(
                    message: $0.message,
                    savedNanojoules: Int64(($0.savedJoules * 1e9).rounded())
                )
            }
    }

    private func number(of owner: String) -> Int32 {
        if let known = numbers[owner] { return known }
        let number = Int32(owners.count)
        owners.append(owner.isEmpty ? "(nobody)" : owner)
        numbers[owner] = number
        return number
    }
}

extension World {
    /// What finds the changes that would have saved most, to be added before `play`.
    func adviceRecorder() -> AdviceRecorder {
        AdviceRecorder(
            activities: declaredActivities,
            others: Set(scenario.conditions.otherApps.map(\.owner))
        ) { [unowned self] interface, crossing, instant in
            phone.captureInstant(interface, crossing, crossingAt: instant)
        }
    }
}
