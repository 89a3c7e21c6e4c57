import Measurements
import Quantities
import Trace

/// Writes down a whole run in words: what the person did, what failed, what the server saw.
///
/// In the order in which it happened, with virtual times and the app's own log lines. Packets,
/// energy and memory are left out; beyond the limit lines are counted only.
final class StoryTeller: ObservationSink {
    /// Most lines that are kept: more than a short run has, an assumption.
    static let limit = 2_000

    private(set) var lines: [StoryLine] = []
    private var omitted = 0
    private var routes: [Int64: String] = [:]
    private var names: [Int64: String] = [:]
    private let faults: [String]

    /// Makes a teller that calls faults by these names.
    init(faults: [String]) {
        self.faults = faults
    }

    /// Takes in one record.
    func observe(_ record: TraceRecord) {
        guard let text = text(of: record.observation) else { return }
        guard lines.count < Self.limit else {
            omitted += 1
            return
        }
        lines.append(StoryLine(record.instant, text))
    }

    /// Says how many lines were left out.
    func finish(at end: SimulationInstant) {
        if omitted > 0 { lines.append(StoryLine(end, "(\(omitted) lines more)")) }
    }

    private func text(of observation: Observation) -> String? {
        switch observation {
        case .actionStarted, .actionPromised, .actionRefused, .actionSettled, .uploadProgress:
            person(observation)
        case .system(let event): "system  \(Self.text(event))"
        case .processLaunched, .processEnded, .appStateChanged, .pathChanged, .logged, .committed:
            phone(observation)
        case .requestStarted, .requestEnded, .connectionClosed:
            network(observation)
        case .serverRequest, .serverEffect, .serverUpload, .protocolViolation:
            server(observation)
        case .fault(let index, let event):
            fault(index, event)
        case .settleBegan:
            "world   all faults have healed; time goes on and nobody touches the phone"
        case .stillWaiting(let label, let what):
            "phone   launch \(label.launch) still waits for \(what)"
        case .guaranteeBroken(let name, let message, _):
            "test    \(name) is broken: \(message)"
        default:
            nil
        }
    }

    private func person(_ observation: Observation) -> String? {
        switch observation {
        case .actionStarted(let action):
            names[action.action] =
                action.identity.isEmpty
                ? "\(action.kind) number \(action.action)" : "\(action.kind) \(action.identity)"
            return "person  begins \(name(action.action))"
        case .actionPromised(let action):
            return "person  is promised \(name(action))"
        case .actionRefused(let action, let reason, _):
            return "person  is refused \(name(action)): \(reason)"
        case .actionSettled(let action, let outcome):
            return "app     tells the person that \(name(action)) is \(outcome.rawValue)"
        case .uploadProgress(let action, let shown):
            return "app     shows \(shown) of \(name(action))"
        default:
            return nil
        }
    }

    private func phone(_ observation: Observation) -> String? {
        switch observation {
        case .processLaunched(let label, let cause):
            "phone   starts the app, launch \(label.launch) (\(cause.rawValue))"
        case .processEnded(let label, let cause):
            "phone   launch \(label.launch) of the app is dead (\(cause.rawValue))"
        case .appStateChanged(let state): "phone   the app is \(state.rawValue)"
        case .pathChanged(let change):
            "phone   the path is \(change.condition.rawValue) (\(change.interface))"
        case .logged(let label, let line): "log     \(label.text): \(line)"
        case .committed(let database): "app     commits to \(database)"
        default: nil
        }
    }

    private func network(_ observation: Observation) -> String? {
        switch observation {
        case .requestStarted(let start):
            routes[start.request] = start.route
            return "app     sends request \(start.request), \(start.route)"
        case .requestEnded(let end):
            let route = routes[end.request] ?? ""
            switch end.result {
            case .status(let status):
                return "app     has the answer to request \(end.request), \(route): \(status)"
            case .failure(let name):
                return "app     request \(end.request), \(route), failed: \(name)"
            }
        case .connectionClosed(let number, let end):
            return "phone   connection \(number) is closed (\(end.rawValue))"
        default:
            return nil
        }
    }

    private func server(_ observation: Observation) -> String? {
        switch observation {
        case .serverRequest(let note):
            let number = note.request > 0 ? "request \(note.request), " : ""
            return "server  answers \(number)\(note.route) with \(note.status)"
        case .serverEffect(let effect):
            let again = effect.occurrence > 1 ? ", for the \(effect.occurrence). time" : ""
            return "server  \(effect.route): '\(effect.identity)' takes effect\(again)"
        case .serverUpload(let event):
            return "server  upload \(event.upload) of '\(event.identity)': \(Self.text(event.kind))"
        case .protocolViolation(let violation):
            return "server  \(violation.route) breaks the protocol: \(violation.rule)"
        default:
            return nil
        }
    }

    private func fault(_ index: Int, _ event: FaultEvent) -> String {
        let name = faults.indices.contains(index) ? faults[index] : "fault \(index)"
        switch event {
        case .fired(let detail): return "FAULT   \(name): \(detail)"
        case .absorbed(let reason): return "FAULT   \(name) did nothing: \(reason)"
        case .healed: return "FAULT   \(name) is over"
        }
    }

    private func name(_ action: Int64) -> String { names[action] ?? "action \(action)" }

    private static func text(_ event: SystemEvent) -> String {
        switch event {
        case .doze(let state): "doze is \(state.rawValue)"
        case .windowOpened(let grant): "gives the app time (\(grant.rawValue))"
        case .windowClosed(let grant, let lasted, let ended):
            "the time is over after \(lasted.compactText) (\(grant.rawValue)), "
                + (ended ? "the app ended it" : "the app did not end it")
        case .push(let fate): "a push is \(fate.rawValue)"
        case .transfer(let identifier, let step): "transfer \(identifier): \(step.rawValue)"
        }
    }

    private static func text(_ kind: ServerUploadEvent.Kind) -> String {
        switch kind {
        case .created(let length): "created, \(length)"
        case .appended(let offset): "has \(offset)"
        case .completed: "is complete"
        case .expired: "has expired"
        case .terminated: "was removed by the client"
        }
    }
}
