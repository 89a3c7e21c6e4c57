import Quantities
import Trace

/// Keeps a bounded recent history for each identity and of the world, to tell stories from.
struct StoryKeeper {
    /// Lines of one identity: the first few and the last few.
    private struct History {
        static let firstCount = 6
        static let lastCount = 12
        var first: [Line] = []
        var last: [Line] = []

        mutating func append(_ line: Line) {
            if first.count < Self.firstCount {
                first.append(line)
            } else {
                last.append(line)
                if last.count > 2 * Self.lastCount { last.removeFirst(Self.lastCount) }
            }
        }

        var lines: [Line] { first + last.suffix(Self.lastCount) }
    }

    private struct Line {
        let order: Int
        let instant: SimulationInstant
        let text: String
    }

    /// What is known of a recent request.
    struct RequestMemory {
        let route: String
        let operation: String
        let started: SimulationInstant
        var identity: String?
        var ended: SimulationInstant?
        /// Why it was not answered.
        var failure: String?
    }

    private static let worldCount = 64
    private static let requestCount = 2_048
    private let faultNames: [String]
    private var order = 0
    private var histories: [String: History] = [:]
    /// What happened around, by device: of a fleet, one phone's story tells nothing of another's.
    private var world: [Int: [Line]] = [:]
    private var requests: [Int64: RequestMemory] = [:]
    private var requestOrder: [Int64] = []
    private var operationIdentity: [String: String] = [:]
    private var operationAttempts: [String: [Int64]] = [:]

    init(faultNames: [String]) {
        self.faultNames = faultNames
    }

    /// What is known of `request`, if it was recent.
    func memory(of request: Int64) -> RequestMemory? { requests[request] }

    /// Adds a line to the history of `identity`.
    mutating func note(_ text: String, of identity: String, at instant: SimulationInstant) {
        guard !identity.isEmpty else { return }
        order += 1
        histories[identity, default: History()].append(
            Line(order: order, instant: instant, text: text)
        )
    }

    /// Adds a line about what happened around a device.
    private mutating func note(_ text: String, at instant: SimulationInstant, device: Int) {
        order += 1
        var lines = world.removeValue(forKey: device) ?? []
        lines.append(Line(order: order, instant: instant, text: text))
        if lines.count > 2 * Self.worldCount { lines.removeFirst(Self.worldCount) }
        world[device] = lines
    }

    /// Learns that `request` is about `identity`, and so are all attempts of its operation.
    mutating func link(_ request: Int64, to identity: String) {
        guard let memory = requests[request], !identity.isEmpty else { return }
        guard !memory.operation.isEmpty else {
            attach(request, to: identity)
            return
        }
        operationIdentity[memory.operation] = identity
        for attempt in operationAttempts.removeValue(forKey: memory.operation) ?? [] {
            attach(attempt, to: identity)
        }
        attach(request, to: identity)
    }

    private mutating func attach(_ request: Int64, to identity: String) {
        guard let memory = requests[request], memory.identity == nil else { return }
        requests[request]?.identity = identity
        note("request \(request) sent: \(memory.route)", of: identity, at: memory.started)
        if let ended = memory.ended {
            let result = memory.failure.map { "failed: \($0)" } ?? "was answered"
            note("request \(request) \(result)", of: identity, at: ended)
        }
    }

    /// Takes in what stories may tell.
    mutating func observe(_ record: TraceRecord) {
        let instant = record.instant
        switch record.observation {
        case .processLaunched(let label, let cause):
            note(
                "app launched (\(cause.rawValue), launch \(label.launch))",
                at: instant,
                device: record.device
            )
        case .processEnded(_, let cause):
            if cause != .runEnded {
                note("app ended: \(cause.rawValue)", at: instant, device: record.device)
            }
        case .pathChanged(let change):
            note(
                "path \(change.condition.rawValue) (\(change.phase))",
                at: instant,
                device: record.device
            )
        case .settleBegan:
            note("all faults have healed; settling began", at: instant, device: record.device)
        case .fault(let index, let event):
            fault(index, event, at: instant, device: record.device)
        case .requestStarted(let start):
            requestStarted(start, at: instant)
        case .requestEnded(let end):
            requestEnded(end, at: instant)
        case .responseDiscarded(let request, let size):
            if let identity = requests[request]?.identity {
                note(
                    "\(size) of the answer to request \(request) were discarded",
                    of: identity,
                    at: instant
                )
            }
        default:
            return
        }
    }

    private mutating func fault(
        _ index: Int,
        _ event: FaultEvent,
        at instant: SimulationInstant,
        device: Int
    ) {
        let name = faultNames.indices.contains(index) ? faultNames[index] : "number \(index + 1)"
        switch event {
        case .fired(let detail):
            note(
                "fault \(name) fired\(detail.isEmpty ? "" : ": \(detail)")",
                at: instant,
                device: device
            )
        case .healed:
            note("fault \(name) healed", at: instant, device: device)
        case .absorbed(let reason):
            note(
                "fault \(name) found nothing to harm: \(reason)",
                at: instant,
                device: device
            )
        }
    }

    private mutating func requestStarted(_ start: RequestStart, at instant: SimulationInstant) {
        requests[start.request] = RequestMemory(
            route: start.route,
            operation: start.operation,
            started: instant
        )
        requestOrder.append(start.request)
        if requestOrder.count > 2 * Self.requestCount {
            for old in requestOrder.prefix(Self.requestCount) { forget(old) }
            requestOrder.removeFirst(Self.requestCount)
        }
        guard !start.operation.isEmpty else { return }
        if let identity = operationIdentity[start.operation] {
            attach(start.request, to: identity)
        } else {
            operationAttempts[start.operation, default: []].append(start.request)
        }
    }

    private mutating func forget(_ request: Int64) {
        guard let memory = requests.removeValue(forKey: request) else { return }
        operationAttempts[memory.operation]?.removeAll { $0 == request }
        if operationAttempts[memory.operation]?.isEmpty == true {
            operationAttempts[memory.operation] = nil
        }
    }

    private mutating func requestEnded(_ end: RequestEnd, at instant: SimulationInstant) {
        guard requests[end.request] != nil else { return }
        requests[end.request]?.ended = instant
        let text: String
        switch end.result {
        case .status(let status):
            text = "was answered with \(status)"
        case .failure(let name):
            requests[end.request]?.failure = name
            text = "failed: \(name)"
        }
        if let identity = requests[end.request]?.identity {
            note("request \(end.request) \(text)", of: identity, at: instant)
        }
    }

    /// The story of `identity` on `device` up to now: its own lines, and what happened around them.
    ///
    /// Of what is repeated around it, the first two and the last are told. Device 0 is the only phone,
    /// or the world around those of a fleet.
    func story(of identity: String, on device: Int) -> [StoryLine] {
        var world = self.world[device] ?? []
        if device != 0 {
            world = (world + (self.world[0] ?? [])).sorted { $0.order < $1.order }
        }
        let own = Self.cut(histories[identity]?.lines ?? [], first: 5, last: 8)
        let from = own.map(\.instant).min() ?? world.suffix(8).first?.instant ?? .zero
        let around = Self.withoutRepeats(world.filter { $0.instant >= from })
        let lines = own + Self.cut(around, first: 4, last: 6)
        return lines.sorted { ($0.instant, $0.order) < ($1.instant, $1.order) }
            .map { StoryLine($0.instant, $0.text) }
    }

    private static func cut(_ lines: [Line], first: Int, last: Int) -> [Line] {
        guard lines.count > first + last else { return lines }
        return Array(lines.prefix(first)) + Array(lines.suffix(last))
    }

    /// Without the middle of what was said more than three times, numbers aside.
    private static func withoutRepeats(_ lines: [Line]) -> [Line] {
        func pattern(_ line: Line) -> String { line.text.filter { !$0.isNumber } }
        var places: [String: [Int]] = [:]
        for (index, line) in lines.enumerated() { places[pattern(line), default: []].append(index) }
        return lines.enumerated().compactMap { index, line in
            let all = places[pattern(line)] ?? []
            guard all.count > 3 else { return line }
            if index == all[0] || index == all[1] { return line }
            guard index == all[all.count - 1] else { return nil }
            return Line(
                order: line.order,
                instant: line.instant,
                text: "\(line.text) (and \(all.count - 3) times before)"
            )
        }
    }
}
