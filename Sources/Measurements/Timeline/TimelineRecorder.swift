import Quantities
import Trace

/// Records what a report draws of one seed on one device, bounded however long the run is.
package final class TimelineRecorder: ObservationSink {
    private static let markLimit = 400
    private let device: Int
    private let scope: GuaranteeScope
    private var end = SimulationInstant.zero
    private var settleBegan: SimulationInstant?
    private var radios: [(name: String, series: SpanSeries)] = []
    private var path = SpanSeries()
    private var openPath: TimelineSpan?
    private var app = SpanSeries()
    private var openApp: TimelineSpan?
    private var marks: [TimelineMark] = []
    private var faults: [TimelineSpan] = []
    private var openFaults: [Int: TimelineSpan] = [:]
    private var open: OpenActions
    private var depth = PointSeries()
    private var memory = PointSeries()
    /// What was held when last something was.
    private var held: MemoryUse?
    private var uploads: [(action: Int64, name: String, size: Int64, series: PointSeries)] = []

    private var arrivals: ArrivalRecorder?

    /// Makes a recorder of `device`; faults are named, and the outbox is told apart, as `scope` says.
    ///
    /// With `server`, what comes to it is counted too, whoever sent it.
    package init(device: Int = 0, scope: GuaranteeScope, server: SeedJudge.ServerTrack? = nil) {
        arrivals = server.map { ArrivalRecorder(capacity: $0.capacity) }
        self.device = device
        self.scope = scope
        open = OpenActions(scope: scope)
    }

    /// Takes in one record.
    package func observe(_ record: TraceRecord) {
        if case .serverRequest(let request) = record.observation {
            arrivals?.count(request, at: record.instant)
            return
        }
        guard record.device == device else { return }
        switch record.observation {
        case .radioInterval(let interval): add(interval)
        case .pathChanged(let change): add(change, at: record.instant)
        case .appStateChanged(let state): enter(state, at: record.instant)
        case .processLaunched(let label, let cause):
            mark("launch", "launch \(label.launch): \(cause.rawValue)", at: record.instant)
        case .processEnded(let label, let cause): ended(label, cause, at: record.instant)
        case .memoryChanged(let use):
            memory.append(use.total.bytes, at: record.instant)
            if use.total > .zero { held = use }
        case .fault(let index, let event): add(index, event, at: record.instant)
        case .settleBegan:
            settleBegan = record.instant
        case .actionStarted(let action):
            open.start(action)
            guard action.size > .zero, uploads.count < 24 else { return }
            uploads.append(
                (action.action, action.identity, action.size.bytes, PointSeries(limit: 120))
            )
        case .actionPromised(let action):
            if open.promise(action, at: record.instant) { noteDepth(at: record.instant) }
        case .actionSettled(let action, let outcome): settle(action, outcome, at: record.instant)
        case .serverEffect(let effect):
            if !open.effect(effect.identity).isEmpty { noteDepth(at: record.instant) }
        case .uploadProgress(let action, let shown):
            guard let index = uploads.firstIndex(where: { $0.action == action }) else { return }
            uploads[index].series.append(shown.bytes, at: record.instant)
        default:
            return
        }
    }

    /// Closes what is open.
    package func finish(at end: SimulationInstant) {
        self.end = end
        close(&openPath, into: &path, at: end)
        close(&openApp, into: &app, at: end)
        for index in openFaults.keys.sorted() { closeFault(index, at: nil) }
        faults.sort { ($0.start, $0.label) < ($1.start, $1.label) }
    }

    /// What was recorded.
    package var timeline: Timeline {
        var timeline = Timeline(end: end)
        timeline.settleBegan = settleBegan
        timeline.radios = radios.map { TimelineTrack(name: $0.name, spans: $0.series.spans) }
        timeline.path = path.spans
        timeline.app = app.spans
        timeline.marks = marks
        timeline.faults = faults
        timeline.outboxDepth = depth.points
        timeline.memory = memory.points
        timeline.arrivals = arrivals?.arrivals
        timeline.uploads = uploads.map {
            TimelineProgress(name: $0.name, size: $0.size, points: $0.series.points)
        }
        return timeline
    }

    private func noteDepth(at instant: SimulationInstant) {
        depth.append(Int64(open.count), at: instant)
    }

    private func add(_ interval: RadioInterval) {
        let span = TimelineSpan(
            start: interval.start,
            end: interval.end,
            kind: interval.kind.rawValue,
            label: ""
        )
        if let index = radios.firstIndex(where: { $0.name == interval.radio }) {
            radios[index].series.append(span)
        } else {
            var series = SpanSeries()
            series.append(span)
            radios.append((interval.radio, series))
        }
    }

    private func add(_ change: PathChange, at instant: SimulationInstant) {
        close(&openPath, into: &path, at: instant)
        let label =
            "\(change.phase): \(change.interface), down \(change.down), up \(change.up)"
            + (change.addressChanged ? ", new address" : "")
        openPath = TimelineSpan(
            start: instant,
            end: instant,
            kind: change.condition.rawValue,
            label: label,
            value: change.down.bitsPerSecond
        )
    }

    private func enter(_ state: AppState, at instant: SimulationInstant) {
        close(&openApp, into: &app, at: instant)
        openApp = TimelineSpan(start: instant, end: instant, kind: state.rawValue, label: "")
    }

    private func close(
        _ span: inout TimelineSpan?,
        into series: inout SpanSeries,
        at instant: SimulationInstant
    ) {
        guard var closing = span else { return }
        closing.end = instant
        series.append(closing)
        span = nil
    }

    private func ended(_ label: ProcessLabel, _ cause: ExitCause, at instant: SimulationInstant) {
        guard cause != .runEnded else { return }
        mark(
            cause == .crash ? "crash" : "kill",
            "launch \(label.launch) ended: \(cause.rawValue)" + holders(for: cause),
            at: instant
        )
        enter(.notRunning, at: instant)
    }

    /// For a death by memory: what was held, largest first.
    private func holders(for cause: ExitCause) -> String {
        guard cause == .memoryCap || cause == .systemKill, let held else { return "" }
        let parts = held.holders.prefix(4).map { "\($0.name) \($0.size)" }
        return "; it held \(held.total): " + parts.joined(separator: ", ")
    }

    private func mark(_ kind: String, _ label: String, at instant: SimulationInstant) {
        guard marks.count < Self.markLimit else { return }
        marks.append(TimelineMark(instant: instant, kind: kind, label: label))
    }

    private func add(_ index: Int, _ event: FaultEvent, at instant: SimulationInstant) {
        switch event {
        case .fired(let detail):
            closeFault(index, at: nil)
            let name =
                scope.faultNames.indices.contains(index)
                ? scope.faultNames[index] : "fault \(index + 1)"
            openFaults[index] = TimelineSpan(
                start: instant,
                end: instant,
                kind: "fault",
                label: detail.isEmpty ? name : "\(name): \(detail)",
                value: Int64(index)
            )
        case .healed: closeFault(index, at: instant)
        case .absorbed: return
        }
    }

    /// A fault that never says it has healed, such as a kill, took no time.
    private func closeFault(_ index: Int, at instant: SimulationInstant?) {
        guard var span = openFaults.removeValue(forKey: index), faults.count < Self.markLimit
        else { return }
        span.end = instant ?? span.start
        faults.append(span)
    }

    private func settle(_ action: Int64, _ outcome: ActionOutcome, at instant: SimulationInstant) {
        if !open.settle(action, outcome).isEmpty { noteDepth(at: instant) }
        guard outcome == .acknowledged,
            let index = uploads.firstIndex(where: { $0.action == action })
        else { return }
        uploads[index].series.append(uploads[index].size, at: instant)
    }
}
