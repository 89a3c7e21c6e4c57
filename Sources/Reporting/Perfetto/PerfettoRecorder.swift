import Quantities
import Trace

/// Keeps one seed as a trace for Perfetto: who did what when, with arrows from an intent to its
/// requests and on to its commit at the server.
///
/// Like a capture it stores the whole run, for the one seed that somebody looks at. Packets are counted
/// and not drawn: a step of the byte counters every 100 ms is enough for the eye (assumption).
package final class PerfettoRecorder: ObservationSink {
    private static let counterStep = Duration.milliseconds(100)

    struct Action {
        var slice: PerfettoSlice
        var isPromised = false
        var isSettled = false
        var effect: SimulationInstant?
    }

    struct Request {
        var slice: PerfettoSlice
        let operation: String
        let owner: String
        var isOpen = true
    }

    struct Mark {
        let instant: SimulationInstant
        let name: String
        var category = ""
        var endingFlows: [UInt64] = []
    }

    let title: String
    private let device: Int
    private let faultNames: [String]
    var end = SimulationInstant.zero

    var actions: [Int64: Action] = [:]
    var actionOrder: [Int64] = []
    private var actionOfIdentity: [String: Int64] = [:]
    var requests: [Int64: Request] = [:]
    var requestOrder: [Int64] = []
    private var attempts: [String: [Int64]] = [:]
    var launches: [PerfettoSlice] = []
    var states: [PerfettoSlice] = []
    private var openLaunch: PerfettoSlice?
    private var openState: PerfettoSlice?
    private var openPath: PerfettoSlice?
    var path: [PerfettoSlice] = []
    private var openConnections: [Int64: PerfettoSlice] = [:]
    var connections: [PerfettoSlice] = []
    var radioOrder: [String] = []
    var radios: [String: [RadioInterval]] = [:]
    private var openFaults: [Int: PerfettoSlice] = [:]
    var faults: [PerfettoSlice] = []
    var log: [Mark] = []
    var disk: [Mark] = []
    var server: [Mark] = []
    var counters: [(name: String, unit: String, points: [(SimulationInstant, Int64)])] = [
        ("bytes up", "B", []), ("bytes down", "B", []), ("memory", "B", []), ("disk", "B", []),
    ]
    private var bytes: [Int64] = [0, 0]

    /// Makes a recorder of one device; `title` is the run's, faults are named by their index.
    package init(title: String, faultNames: [String], device: Int = 0) {
        self.title = title
        self.faultNames = faultNames
        self.device = device
    }

    // MARK: taking in

    /// Takes in one record.
    package func observe(_ record: TraceRecord) {
        guard record.device == device else { return }
        let now = record.instant
        switch record.observation {
        case .actionStarted, .actionPromised, .actionRefused, .actionSettled:
            person(record.observation, now)
        case .processLaunched, .processEnded, .appStateChanged, .logged:
            app(record.observation, now)
        case .requestStarted, .requestEnded, .connectionOpened, .connectionClosed, .pathChanged:
            network(record.observation, now)
        case .serverRequest, .serverEffect, .serverUpload, .protocolViolation:
            serve(record.observation, now)
        case .radioInterval(let interval):
            if radios[interval.radio] == nil { radioOrder.append(interval.radio) }
            radios[interval.radio, default: []].append(interval)
        case .committed(let database):
            disk.append(Mark(instant: now, name: "commit \(database)", category: "disk"))
        case .diskSynced(let file):
            disk.append(Mark(instant: now, name: "sync \(file)", category: "disk"))
        case .diskUsed(let size): count(3, size.bytes, now)
        case .memoryChanged(let use): count(2, use.total.bytes, now)
        case .fault(let index, let event): fault(index, event, now)
        case .settleBegan:
            log.append(Mark(instant: now, name: "everything has healed", category: "world"))
        case .guaranteeBroken(let name, _, _):
            log.append(Mark(instant: now, name: "\(name) is broken", category: "world"))
        case .packet(let packet): observe(packet, at: now, device: record.device)
        default: return
        }
    }

    /// Counts a packet.
    package func observe(_ packet: PacketCrossing, at instant: SimulationInstant, device: Int) {
        guard device == self.device else { return }
        let index = packet.direction == .up ? 0 : 1
        bytes[index] += Int64(packet.size)
        count(index, bytes[index], instant, every: Self.counterStep)
    }

    /// Closes what is open.
    package func finish(at end: SimulationInstant) {
        self.end = end
        for index in 0...1 where bytes[index] > 0 { count(index, bytes[index], end) }
        endLaunch(end, "the run is over")
        if let open = openPath { path.append(ended(open, end)) }
        for number in openConnections.keys.sorted() {
            openConnections[number].map { connections.append(ended($0, end)) }
        }
        // What has not healed was over at once, as a kill is.
        for index in openFaults.keys.sorted() { openFaults[index].map { faults.append($0) } }
        for number in requestOrder where requests[number]?.isOpen == true {
            requests[number]?.slice.end = end
        }
        for number in actionOrder where actions[number]?.isSettled == false {
            let effect = actions[number]?.effect
            actions[number]?.slice.end = effect ?? end
        }
    }

    private func ended(_ slice: PerfettoSlice, _ end: SimulationInstant) -> PerfettoSlice {
        var slice = slice
        slice.end = max(slice.start, end)
        return slice
    }

    private func slice(
        _ name: String,
        _ start: SimulationInstant,
        category: String = "",
        _ details: [(name: String, value: String)] = []
    ) -> PerfettoSlice {
        PerfettoSlice(
            start: start,
            end: start,
            name: name,
            category: category,
            details: details
        )
    }

    private func count(
        _ index: Int,
        _ value: Int64,
        _ now: SimulationInstant,
        every step: Duration = .zero
    ) {
        if let last = counters[index].points.last {
            if last.0 == now {
                counters[index].points.removeLast()
            } else if last.0 + step > now {
                return
            }
        }
        counters[index].points.append((now, value))
    }

    private func person(_ observation: Observation, _ now: SimulationInstant) {
        switch observation {
        case .actionStarted(let action):
            let label =
                action.identity.isEmpty ? "number \(action.action)" : action.identity
            var slice = slice("\(action.kind) \(label)", now, category: "person")
            slice.flows = [Self.flow(ofAction: action.action)]
            actions[action.action] = Action(slice: slice)
            actionOrder.append(action.action)
            if !action.identity.isEmpty { actionOfIdentity[action.identity] = action.action }
        case .actionPromised(let number):
            actions[number]?.isPromised = true
            actions[number]?.slice.details.append(("promised", "\(now)"))
        case .actionRefused(let number, let reason, _):
            settle(number, "refused", reason, now)
        case .actionSettled(let number, let outcome):
            settle(number, "the app said", outcome.rawValue, now)
        default:
            return
        }
    }

    private func settle(
        _ number: Int64,
        _ name: String,
        _ value: String,
        _ now: SimulationInstant
    ) {
        guard let action = actions[number], !action.isSettled else { return }
        actions[number]?.slice.details.append((name, value))
        actions[number]?.slice.end = now
        actions[number]?.isSettled = true
    }

    private func app(_ observation: Observation, _ now: SimulationInstant) {
        switch observation {
        case .processLaunched(let label, let cause):
            endLaunch(now, "")
            openLaunch = slice(
                "launch \(label.launch)",
                now,
                category: "app",
                [("cause", cause.rawValue)]
            )
        case .processEnded(_, let cause):
            endLaunch(now, cause.rawValue)
            cut(now)
        case .appStateChanged(let state):
            if let open = openState { states.append(ended(open, now)) }
            openState = openLaunch == nil || state == .notRunning ? nil : slice(state.rawValue, now)
        case .logged(let label, let text):
            log.append(
                Mark(instant: now, name: "\(label.text): \(text)", category: "log")
            )
        default:
            return
        }
    }

    /// The app is dead: nobody hears of what was under way.
    private func cut(_ now: SimulationInstant) {
        for number in requestOrder where requests[number]?.isOpen == true {
            requests[number]?.slice.details.append(("result", "cut by the end of the app"))
            requests[number]?.slice.end = now
            requests[number]?.isOpen = false
        }
        for number in actionOrder where actions[number]?.isPromised == false {
            settle(number, "cut by", "the end of the app", now)
        }
    }

    private func endLaunch(_ now: SimulationInstant, _ cause: String) {
        if let open = openState { states.append(ended(open, now)) }
        openState = nil
        guard var open = openLaunch else { return }
        open.details.append(("ended by", cause))
        launches.append(ended(open, now))
        openLaunch = nil
    }

    private func network(_ observation: Observation, _ now: SimulationInstant) {
        switch observation {
        case .requestStarted(let start):
            let slice = slice(
                start.route,
                now,
                category: "request",
                [("request", "\(start.request)"), ("body", "\(start.bodySize)")]
            )
            requests[start.request] = Request(
                slice: slice,
                operation: start.operation,
                owner: start.owner
            )
            requestOrder.append(start.request)
            attempts[start.operation, default: []].append(start.request)
        case .requestEnded(let ending):
            let text: String
            switch ending.result {
            case .status(let status): text = "\(status)"
            case .failure(let name): text = name
            }
            requests[ending.request]?.slice.details.append(("result", text))
            requests[ending.request]?.slice.end = now
            requests[ending.request]?.isOpen = false
        case .connectionOpened(let opening):
            openConnections[opening.connection] = slice(
                opening.host.isEmpty ? "connection \(opening.connection)" : opening.host,
                now,
                category: "connection",
                [
                    ("connection", "\(opening.connection)"),
                    ("protocol", opening.applicationProtocol), ("security", opening.security),
                    ("handshake", opening.handshake.compactText),
                ]
            )
        case .connectionClosed(let number, let cause):
            guard var open = openConnections.removeValue(forKey: number) else { return }
            open.details.append(("closed by", cause.rawValue))
            connections.append(ended(open, now))
        case .pathChanged(let change):
            if let open = openPath { path.append(ended(open, now)) }
            openPath = slice(
                change.condition == .up ? change.phase : "\(change.phase): \(change.condition)",
                now,
                category: "path",
                [
                    ("interface", change.interface), ("down", "\(change.down)"),
                    ("up", "\(change.up)"),
                ]
            )
        default:
            return
        }
    }

    private func serve(_ observation: Observation, _ now: SimulationInstant) {
        switch observation {
        case .serverRequest(let note):
            server.append(
                Mark(instant: now, name: "\(note.route) \(note.status)", category: "answer")
            )
        case .serverEffect(let effect):
            let again = effect.occurrence > 1 ? ", for the \(effect.occurrence). time" : ""
            commit(
                "'\(effect.identity)' takes effect\(again)",
                effect.identity,
                effect.request,
                now
            )
        case .serverUpload(let event):
            switch event.kind {
            case .completed: commit("upload complete", event.identity, event.request, now)
            case .created, .appended: link(event.identity, event.request)
            case .expired, .terminated: return
            }
        case .protocolViolation(let violation):
            server.append(
                Mark(instant: now, name: violation.rule, category: "protocol violation")
            )
        default:
            return
        }
    }

    /// An arrow from the action, through every attempt, to the effect.
    private func commit(
        _ name: String,
        _ identity: String,
        _ request: Int64,
        _ now: SimulationInstant
    ) {
        let flow = link(identity, request)
        server.append(Mark(instant: now, name: name, category: "commit", endingFlows: [flow]))
        if let action = actionOfIdentity[identity], actions[action]?.effect == nil {
            actions[action]?.effect = now
        }
    }

    @discardableResult
    private func link(_ identity: String, _ request: Int64) -> UInt64 {
        let flow =
            actionOfIdentity[identity].map { Self.flow(ofAction: $0) }
            ?? Self.flow(ofRequest: request)
        let operation = requests[request]?.operation ?? ""
        for attempt in (operation.isEmpty ? nil : attempts[operation]) ?? [request]
        where requests[attempt]?.slice.flows.contains(flow) == false {
            requests[attempt]?.slice.flows.append(flow)
        }
        return flow
    }

    private static func flow(ofAction number: Int64) -> UInt64 { UInt64(number) << 1 }
    private static func flow(ofRequest number: Int64) -> UInt64 { UInt64(number) << 1 | 1 }

    private func fault(_ index: Int, _ event: FaultEvent, _ now: SimulationInstant) {
        let name = faultNames.indices.contains(index) ? faultNames[index] : "fault \(index + 1)"
        switch event {
        case .fired(let detail):
            if let open = openFaults[index] { faults.append(open) }
            openFaults[index] = slice(name, now, category: "fault", [("detail", detail)])
        case .healed:
            guard let open = openFaults.removeValue(forKey: index) else { return }
            faults.append(ended(open, now))
        case .absorbed(let reason):
            faults.append(
                slice("\(name) did nothing", now, category: "fault", [("reason", reason)])
            )
        }
    }
}
