import Budgets
import Measurements
import Quantities
import Trace

/// A made-up commute, told as observations: enough of everything that a report draws.
///
/// Not a simulation: a plain script with a little scatter by seed, so that pages can be looked at
/// and checked before the lab exists.
struct SampleCommute {
    let seed: UInt64
    /// Whether message 12 takes effect twice and one progress is shown too early.
    var isBroken = false

    static let faultNames = [
        "process.kill after upload.chunk.acknowledged", "process.kill during outbox.commit",
        "response.lost to POST /messages", "server.unavailable at 16 min",
    ]

    /// What the judge made of it.
    var result: SeedResult {
        let judge = SeedJudge(
            SeedJudge.Setting(
                scope: GuaranteeScope(seed: seed, faultNames: Self.faultNames),
                capacity: BatteryCapacity(milliampereHours: 4_500),
                recordsTimeline: true
            )
        )
        let stream = ObservationStream()
        stream.add(judge)
        for step in script.sorted(by: { ($0.at, $0.order) < ($1.at, $1.order) }) {
            stream.report(step.observation, at: SimulationInstant(nanoseconds: step.at))
        }
        stream.finish(at: Self.second(2_100))
        let digits = String(seed &* 0x9E37_79B9_7F4A_7C15, radix: 16)
        return judge.result(
            mode: "captured",
            fingerprint: String(repeating: "0", count: 16 - digits.count) + digits,
            hostNanoseconds: Int64(seed) * 1_000
        )
    }

    static let rules = [
        ("radio.energy_j", "p95 <= 900J"), ("radio.energy_j", "p50 <= baseline + 3%"),
        ("radio.tail_energy_j", "p95 <= 260J"), ("radio.promotions", "p95 <= 90"),
        ("network.up_bytes", "max <= 52MB"), ("upload.overhead_pct", "p95 <= 12%"),
        ("retry.amplification", "p95 <= 1.5"), ("outbox.oldest_age_s", "max <= 4min"),
        ("memory.accounted_peak_bytes", "max <= 96MiB"), ("storage.syncs", "p95 <= 90"),
    ]

    /// A run of `count` seeds from 1; every fifth from 2 on is broken if `isBroken`.
    static func run(
        count: UInt64,
        isBroken: Bool = false,
        profile: String = "commute",
        rules: [(String, String)] = rules,
        hostFactor: Int64 = 1
    ) throws -> ProfileRun {
        let seeds = (1...count).map { seed in
            var result = SampleCommute(seed: seed, isBroken: isBroken && seed % 5 == 2).result
            result.hostNanoseconds *= hostFactor
            return result
        }
        return ProfileRun(
            profile: profile,
            summary: "Front door to desk: street LTE, a tunnel, office Wi-Fi.",
            mode: "captured",
            radios: [
                RadioNote(role: "cellular", name: "lte-2012-aro", year: 2012, grade: "A"),
                RadioNote(role: "wifi", name: "wifi-2012-aro", year: 2012, grade: "A"),
            ],
            seeds: seeds,
            rules: try rules.map {
                try BudgetRule(
                    metric: $0.0,
                    text: $0.1,
                    level: $0.0 == "storage.syncs" ? .warn : .fail
                )
            },
            baseline: BudgetBaseline(profile: profile, of: seeds)
        )
    }

    // The script.

    struct Step {
        let at: Int64
        let order: Int
        let observation: Observation
    }

    static func second(_ seconds: Double) -> SimulationInstant {
        SimulationInstant(nanoseconds: Int64(seconds * 1e9))
    }

    private var script: [Step] {
        var writer = ScriptWriter(seed: seed)
        phases(&writer)
        messages(&writer)
        uploads(&writer)
        radio(&writer)
        lifecycle(&writer)
        return writer.steps
    }

    private func phases(_ writer: inout ScriptWriter) {
        let rows: [(Double, String, String, PathChange.Condition, Int64, Int64)] = [
            (0, "street", "cellular", .up, 12_000, 3_000),
            (480, "tunnel", "cellular", .up, 800, 250), (540, "tunnel", "cellular", .down, 0, 0),
            (565, "tunnel", "cellular", .up, 800, 250),
            (690, "tunnel", "cellular", .blackhole, 0, 0),
            (730, "tunnel", "cellular", .up, 800, 250), (840, "office", "none", .down, 0, 0),
            (841, "office", "wifi", .up, 60_000, 18_000),
        ]
        for row in rows {
            writer.add(
                row.0,
                .pathChanged(
                    PathChange(
                        phase: row.1,
                        interface: row.2,
                        condition: row.3,
                        down: .kilobitsPerSecond(row.4),
                        up: .kilobitsPerSecond(row.5),
                        addressChanged: row.0 == 841
                    )
                )
            )
        }
    }

    private func messages(_ writer: inout ScriptWriter) {
        for number in 1...40 {
            let at = Double(number) * 37 + writer.random(4)
            let identity = "m\(number)"
            let action = Int64(number)
            writer.add(
                at,
                .actionStarted(
                    UserAction(
                        action: action,
                        kind: "message.send",
                        identity: identity,
                        entity: "chat\(number % 3)"
                    )
                )
            )
            writer.add(at + 0.01, .diskWritten(file: "outbox.sqlite-wal", .kilobytes(8)))
            writer.add(at + 0.012, .diskSynced(file: "outbox.sqlite-wal"))
            writer.add(at + 0.013, .committed(database: "outbox.sqlite"))
            writer.add(at + 0.02, .actionPromised(action: action))
            let isLost = number == 5 || (isBroken && number == 12)
            var request = Int64(number * 10)
            let delay =
                (530...746).contains(at) ? 747 - at + Double(number) / 10 : 0.4 + writer.random(1)
            writer.request(at + delay, request, "POST /messages", "op-\(identity)", "outbox")
            let keys: [UInt64] = isBroken && number == 12 ? [7, 8] : [7, 7]
            writer.effect(at + delay + 0.1, request, identity, "chat\(number % 3)", 1, keys[0])
            if isLost {
                writer.add(
                    at + delay + 20,
                    .requestEnded(
                        RequestEnd(request: request, result: .failure("networkConnectionLost"))
                    )
                )
                request += 1
                writer.request(
                    at + delay + 22,
                    request,
                    "POST /messages",
                    "op-\(identity)",
                    "outbox"
                )
                if keys[0] != keys[1] {
                    writer.effect(
                        at + delay + 22.1,
                        request,
                        identity,
                        "chat\(number % 3)",
                        2,
                        keys[1]
                    )
                }
            }
            let end = at + delay + (isLost ? 22.3 : 0.3)
            writer.add(end, .requestEnded(RequestEnd(request: request, result: .status(201))))
            writer.add(end, .actionSettled(action: action, .acknowledged))
        }
    }

    private func uploads(_ writer: inout ScriptWriter) {
        let files: [(Double, String, Int64, Double)] = [
            (60, "photo1", 3_500_000, 20), (120, "photo2", 3_500_000, 22),
            (180, "photo3", 3_500_000, 21), (420, "video1", 35_000_000, 600),
        ]
        for (index, file) in files.enumerated() {
            let action = Int64(100 + index)
            writer.add(
                file.0,
                .actionStarted(
                    UserAction(
                        action: action,
                        kind: file.2 > 4_000_000 ? "video.upload" : "photo.upload",
                        identity: file.1,
                        size: ByteCount(file.2),
                        digest: 99
                    )
                )
            )
            writer.add(file.0 + 0.1, .actionPromised(action: action))
            let base = Int64(1_000 + index * 100)
            writer.request(file.0 + 0.2, base, "POST /files", "create-\(file.1)", "uploader")
            writer.upload(
                file.0 + 0.4,
                base,
                "u\(index)",
                file.1,
                .created(length: ByteCount(file.2))
            )
            let chunks = Int64(file.2 / 500_000)
            for chunk in 1...chunks {
                let at = file.0 + 0.5 + Double(chunk) / Double(chunks) * file.3
                let request = base + chunk
                let offset = ByteCount(min(file.2, chunk * 500_000))
                writer.request(
                    at - 0.3,
                    request,
                    "PATCH /files/*",
                    "\(file.1)-\(chunk)",
                    "uploader"
                )
                for _ in 0..<10 {
                    writer.packet(at - 0.2, .up, 52_000 + Int(writer.random(6_000)), "uploader")
                }
                writer.upload(at, request, "u\(index)", file.1, .appended(offset: offset))
                let early = isBroken && chunk == 3 && index == 0 ? ByteCount(600_000) : .zero
                writer.add(at + 0.05, .uploadProgress(action: action, shown: offset + early))
                writer.add(
                    at + 0.1,
                    .requestEnded(RequestEnd(request: request, result: .status(204)))
                )
            }
            writer.upload(
                file.0 + file.3 + 0.6,
                base + chunks,
                "u\(index)",
                file.1,
                .completed(digest: 99)
            )
            writer.add(file.0 + file.3 + 1, .actionSettled(action: action, .acknowledged))
        }
    }

    private func radio(_ writer: inout ScriptWriter) {
        var now = 0.0
        func interval(_ length: Double, _ kind: RadioInterval.Kind, _ milliwatts: Int64) {
            let (start, end) = (Self.second(now), Self.second(now + length))
            let energy = Power.milliwatts(milliwatts).energy(over: end - start)
            let half = Energy(femtojoules: energy.femtojoules / 3)
            writer.add(
                now + length,
                .radioInterval(
                    RadioInterval(
                        radio: now < 840 ? "lte-2012-aro" : "wifi-2012-aro",
                        start: start,
                        end: end,
                        state: kind.rawValue,
                        kind: kind,
                        energy: energy,
                        shares: kind == .idle
                            ? [.init(owner: "idle", energy: energy)]
                            : [
                                .init(owner: "outbox", energy: half),
                                .init(owner: "uploader", energy: energy - half),
                            ]
                    )
                )
            )
            now += length
        }
        while now < 2_050 {
            interval(3 + writer.random(16), .idle, 11)
            interval(0.26, .promotion, 1_210)
            interval(0.5 + writer.random(4), .active, 1_300)
            interval(3 + writer.random(8), .tail, now < 840 ? 1_060 : 300)
        }
    }

    private func lifecycle(_ writer: inout ScriptWriter) {
        let first = ProcessLabel(device: 0, launch: 1)
        writer.add(0, .processLaunched(first, .firstLaunch))
        writer.add(0, .appStateChanged(.foreground))
        for (index, at) in [95.0, 610.0].enumerated() {
            writer.add(at, .fault(index: index, .fired(detail: "launch \(index + 1)")))
            let label = ProcessLabel(device: 0, launch: index + 1)
            writer.add(at, .processEnded(label, .injectedKill))
            writer.add(
                at + 4,
                .processLaunched(ProcessLabel(device: 0, launch: index + 2), .relaunchAfterKill)
            )
            writer.add(at + 4, .appStateChanged(.foreground))
            writer.add(at + 4, .fault(index: index, .healed))
        }
        writer.add(189, .fault(index: 2, .fired(detail: "the answer to request 50")))
        writer.add(189.1, .fault(index: 2, .healed))
        writer.add(960, .fault(index: 3, .fired(detail: "503 for 90 s")))
        writer.add(1_050, .fault(index: 3, .healed))
        writer.add(900, .appStateChanged(.background))
        writer.add(930, .appStateChanged(.suspended))
        writer.add(1_100, .appStateChanged(.foreground))
        writer.add(1_540, .settleBegan)
        for index in 0..<220 {
            let size = ByteCount.megabytes(Int64(18 + writer.random(30)))
            writer.add(
                Double(index) * 9,
                .memoryChanged(MemoryUse(total: size, holders: [], pressure: .normal))
            )
        }
    }
}

/// Collects steps and draws scatter from its seed.
struct ScriptWriter {
    private(set) var steps: [SampleCommute.Step] = []
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x2545_F491_4F6C_DD1D | 1
    }

    /// A number from 0 up to `limit`, by xorshift.
    mutating func random(_ limit: Double) -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(state % 10_000) / 10_000 * limit
    }

    mutating func add(_ seconds: Double, _ observation: Observation) {
        let at = SampleCommute.second(seconds).nanoseconds
        steps.append(SampleCommute.Step(at: at, order: steps.count, observation: observation))
    }

    mutating func request(
        _ seconds: Double,
        _ number: Int64,
        _ route: String,
        _ operation: String,
        _ owner: String
    ) {
        add(
            seconds,
            .requestStarted(
                RequestStart(
                    request: number,
                    method: String(route.prefix { $0 != " " }),
                    route: route,
                    operation: operation,
                    bodySize: .bytes(300),
                    owner: owner
                )
            )
        )
        packet(seconds + 0.05, .up, 700, owner)
        packet(seconds + 0.15, .down, 300, owner)
        add(seconds + 0.1, .serverRequest(ServerRequestNote(route: route, status: 201)))
    }

    mutating func packet(
        _ seconds: Double,
        _ direction: PacketDirection,
        _ size: Int,
        _ owner: String
    ) {
        add(
            seconds,
            .packet(
                PacketCrossing(
                    direction: direction,
                    size: size + 52,
                    payload: size,
                    connection: 1,
                    isMetered: seconds < 840,
                    owner: owner
                )
            )
        )
    }

    mutating func effect(
        _ seconds: Double,
        _ request: Int64,
        _ identity: String,
        _ entity: String,
        _ occurrence: Int,
        _ key: UInt64
    ) {
        add(
            seconds,
            .serverEffect(
                ServerEffect(
                    route: "POST /messages",
                    identity: identity,
                    entity: entity,
                    occurrence: occurrence,
                    request: request,
                    keyDigest: key
                )
            )
        )
    }

    mutating func upload(
        _ seconds: Double,
        _ request: Int64,
        _ upload: String,
        _ identity: String,
        _ kind: ServerUploadEvent.Kind
    ) {
        add(
            seconds,
            .serverUpload(
                ServerUploadEvent(
                    upload: upload,
                    identity: identity,
                    kind: kind,
                    request: request
                )
            )
        )
    }
}
