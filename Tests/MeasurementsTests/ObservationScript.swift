import Measurements
import Quantities
import Trace

/// A stream of observations made by hand, in the order of its lines.
struct ObservationScript {
    private var records: [TraceRecord] = []

    /// Adds an observation at `seconds`; lines come in order of time.
    mutating func at(_ seconds: Double, device: Int = 0, _ observation: Observation) {
        records.append(
            TraceRecord(instant: Self.instant(seconds), device: device, observation: observation)
        )
    }

    static func instant(_ seconds: Double) -> SimulationInstant {
        SimulationInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    /// Plays the script into `sinks`, and ends it.
    func play(into sinks: [any ObservationSink], end: Double) {
        for record in records {
            for sink in sinks { sink.observe(record) }
        }
        for sink in sinks { sink.finish(at: Self.instant(end)) }
    }

    /// The metrics of the script.
    func measured(
        end: Double,
        by measurement: RunMeasurement = RunMeasurement(),
        scope: GuaranteeScope? = nil
    ) -> MeasuredRun {
        let checks = GuaranteeChecks(scope: scope ?? GuaranteeScope(seed: 1))
        play(into: [measurement, checks], end: end)
        return measurement.measuredRun(counts: checks.counts)
    }

    /// The checks that have judged the script.
    func checked(end: Double, scope: GuaranteeScope = GuaranteeScope(seed: 7)) -> GuaranteeChecks {
        let checks = GuaranteeChecks(scope: scope)
        play(into: [checks], end: end)
        return checks
    }
}

// Short words for what scripts say often.
extension ObservationScript {
    /// The person acts, and is promised it a millisecond later.
    mutating func promise(
        _ seconds: Double,
        _ action: Int64,
        _ identity: String,
        entity: String = "",
        group: String = "",
        kind: String = "message.send"
    ) {
        start(seconds, action, identity, entity: entity, group: group, kind: kind)
        at(seconds + 0.001, .actionPromised(action: action))
    }

    /// The person acts, and nothing is said yet.
    mutating func start(
        _ seconds: Double,
        _ action: Int64,
        _ identity: String,
        entity: String = "",
        group: String = "",
        kind: String = "message.send"
    ) {
        at(
            seconds,
            .actionStarted(
                UserAction(
                    action: action,
                    kind: kind,
                    identity: identity,
                    entity: entity,
                    supersession: group
                )
            )
        )
    }

    /// The person picks a file of 1,000 bytes with digest 42.
    mutating func pick(_ seconds: Double, _ action: Int64, _ identity: String) {
        at(
            seconds,
            .actionStarted(
                UserAction(
                    action: action,
                    kind: "photo.upload",
                    identity: identity,
                    size: .bytes(1_000),
                    digest: 42
                )
            )
        )
        at(seconds + 0.001, .actionPromised(action: action))
    }

    /// The server's state changes.
    mutating func effect(
        _ seconds: Double,
        _ identity: String,
        _ occurrence: Int = 1,
        request: Int64 = 0,
        key: UInt64 = 0,
        route: String = "POST /messages"
    ) {
        at(
            seconds,
            .serverEffect(
                ServerEffect(
                    route: route,
                    identity: identity,
                    entity: "",
                    occurrence: occurrence,
                    request: request,
                    keyDigest: key
                )
            )
        )
    }

    /// The app tells the person.
    mutating func settle(
        _ seconds: Double,
        _ action: Int64,
        _ outcome: ActionOutcome = .acknowledged
    ) {
        at(seconds, .actionSettled(action: action, outcome))
    }

    /// Something happens to upload `upload` of `identity` at the server.
    mutating func upload(
        _ seconds: Double,
        _ kind: ServerUploadEvent.Kind,
        _ upload: String = "u1",
        of identity: String = "photo1",
        request: Int64 = 0
    ) {
        at(
            seconds,
            .serverUpload(
                ServerUploadEvent(upload: upload, identity: identity, kind: kind, request: request)
            )
        )
    }

    /// The app sends a request.
    mutating func request(
        _ seconds: Double,
        _ number: Int64,
        _ operation: String,
        owner: String = "outbox",
        route: String = "POST /messages"
    ) {
        at(
            seconds,
            .requestStarted(
                RequestStart(
                    request: number,
                    method: "POST",
                    route: route,
                    operation: operation,
                    bodySize: .bytes(100),
                    owner: owner
                )
            )
        )
    }

    /// A packet crosses the air.
    mutating func packet(
        _ seconds: Double,
        _ direction: PacketDirection,
        size: Int,
        payload: Int,
        again: Bool = false,
        metered: Bool = false,
        owner: String = "outbox"
    ) {
        at(
            seconds,
            .packet(
                PacketCrossing(
                    direction: direction,
                    size: size,
                    payload: payload,
                    connection: 1,
                    isRetransmission: again,
                    isMetered: metered,
                    owner: owner
                )
            )
        )
    }

    /// A radio was in a state from `start` to `end`, paid by `owner`.
    mutating func radio(
        _ start: Double,
        _ end: Double,
        _ kind: RadioInterval.Kind,
        milliwatts: Int64 = 500,
        owner: String = "app",
        radio: String = "textbook"
    ) {
        let (from, to) = (Self.instant(start), Self.instant(end))
        let energy = Power.milliwatts(milliwatts).energy(over: to - from)
        at(
            end,
            .radioInterval(
                RadioInterval(
                    radio: radio,
                    start: from,
                    end: to,
                    state: kind.rawValue,
                    kind: kind,
                    energy: energy,
                    shares: [.init(owner: owner, energy: energy)]
                )
            )
        )
    }

    /// The path changes.
    mutating func path(_ seconds: Double, _ condition: PathChange.Condition) {
        at(
            seconds,
            .pathChanged(
                PathChange(
                    phase: "tunnel",
                    interface: "cellular",
                    condition: condition,
                    down: .megabitsPerSecond(1),
                    up: .megabitsPerSecond(1),
                    addressChanged: false
                )
            )
        )
    }
}
