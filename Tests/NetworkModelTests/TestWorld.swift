import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

@testable import NetworkModel

/// A phone, a way and one server, with everything that happens written down.
final class TestWorld {
    let simulation: Simulation
    let internet = Internet()
    let server: EchoServer
    let log = TraceLog()
    let network: AccessNetwork
    let client: HTTPClientEngine
    let events = EventLog()

    init(
        seed: UInt64 = 1,
        _ conditions: NetworkConditions = .plain(),
        settings: HTTPClientSettings = .exact,
        modem: any Modem = AlwaysReadyModem()
    ) {
        simulation = Simulation(seed: seed)
        server = EchoServer(simulation)
        internet.register("a.example", responder: server)
        let observations = ObservationStream()
        observations.add(log)
        network = AccessNetwork(
            simulation: simulation,
            conditions: conditions,
            internet: internet,
            modems: ModemSet(modem),
            observations: observations
        )
        client = HTTPClientEngine(network: network, settings: settings)
        events.simulation = simulation
    }

    @discardableResult
    func send(
        _ method: String = "GET",
        _ target: String = "/",
        host: String = "a.example",
        body: Int = 0,
        security: TransportSecurity = .tls13,
        idleTimeout: Duration = .seconds(60),
        connectTimeout: Duration? = nil,
        pullsBody: Bool = false
    ) -> RequestToken {
        client.send(
            HTTPRequestHead(method: method, host: host, target: target),
            body: body > 0 ? MemoryBody(Array(repeating: 7, count: body)) : nil,
            options: RequestOptions(
                number: 1,
                owner: "\(method) \(target)",
                idleTimeout: idleTimeout,
                connectTimeout: connectTimeout,
                security: security,
                pullsBody: pullsBody
            ),
            events: events
        )
    }

    func run(_ seconds: Double) {
        simulation.run(until: simulation.instant + .milliseconds(Int64(seconds * 1_000)))
    }

    /// Milliseconds since the world began.
    func milliseconds(_ instant: SimulationInstant?) -> Double? {
        instant.map { Double($0.nanoseconds) / 1e6 }
    }
}

extension HTTPClientSettings {
    /// Timers without a kernel's tick, so that times come out by hand.
    static var exact: HTTPClientSettings {
        var settings = HTTPClientSettings()
        settings.tcp.timerTick = .zero
        return settings
    }
}

extension NetworkConditions {
    /// One phase of constant figures.
    static func plain(
        rate: BitRate = .unlimited,
        rtt: Duration = .milliseconds(100),
        queue: Int = 100,
        loss: LossModel = .none,
        jitter: Duration = .zero,
        interruptions: [PathInterruption] = [],
        nameLookup: Duration = .zero
    ) -> NetworkConditions {
        let link = LinkDirection(rate: rate, queue: queue, loss: loss)
        return NetworkConditions(phases: [
            NetworkPhase(
                name: "plain",
                down: link,
                up: link,
                rtt: rtt,
                jitter: jitter,
                interruptions: interruptions,
                nameLookup: nameLookup
            )
        ])
    }
}

/// Answers every request with as many bytes as its target asks for: "/bytes/1000".
final class EchoServer: HTTPResponder {
    let simulation: Simulation
    var thinks = Duration.zero
    var received: [ObjectIdentifier: Int] = [:]
    var begun: [String] = []
    var ended: [String] = []
    var lostRequests: [String] = []
    var bytesReceived = 0
    /// Never answers.
    var isMute = false
    var kept: [any HTTPExchange] = []

    init(_ simulation: Simulation) {
        self.simulation = simulation
    }

    func begin(_ exchange: any HTTPExchange) {
        begun.append("\(exchange.head.method) \(exchange.head.target)")
    }

    func receive(_ bytes: [UInt8], of exchange: any HTTPExchange) {
        bytesReceived += bytes.count
    }

    func end(_ exchange: any HTTPExchange) {
        ended.append("\(exchange.head.method) \(exchange.head.target)")
        kept.append(exchange)
        guard !isMute else { return }
        let size = exchange.head.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
        let answer = HTTPResponseMessage(status: 200, body: Array(repeating: 1, count: size))
        guard thinks > .zero else { return exchange.respond(answer) }
        simulation.schedule(at: simulation.instant + thinks) { exchange.respond(answer) }
    }

    func lost(_ exchange: any HTTPExchange) {
        lostRequests.append("\(exchange.head.method) \(exchange.head.target)")
    }
}

/// What the client was told, and when.
final class EventLog: HTTPClientEvents {
    var simulation: Simulation?
    var statuses: [Int] = []
    var headAt: [SimulationInstant] = []
    var bytes = 0
    var bodies: [[UInt8]] = []
    var handedOver: Int64 = 0
    var finishedAt: [SimulationInstant] = []
    var failures: [TransportFailure] = []
    var failedAt: [SimulationInstant] = []
    var whenFinished: (() -> Void)?

    private var now: SimulationInstant { simulation?.instant ?? .zero }

    func handedOver(_ bytes: Int64, of token: RequestToken) { handedOver = bytes }

    func responseHead(status: Int, fields: HTTPFieldList, of token: RequestToken) {
        statuses.append(status)
        headAt.append(now)
    }

    func bodyChunk(_ bytes: [UInt8], of token: RequestToken) {
        self.bytes += bytes.count
        bodies.append(bytes)
    }

    func finished(_ token: RequestToken) {
        finishedAt.append(now)
        whenFinished?()
    }

    func failed(_ failure: TransportFailure, of token: RequestToken) {
        failures.append(failure)
        failedAt.append(now)
    }
}

/// Keeps every record.
final class TraceLog: ObservationSink {
    var records: [TraceRecord] = []

    func observe(_ record: TraceRecord) { records.append(record) }

    func finish(at end: SimulationInstant) {}

    var crossings: [(at: SimulationInstant, packet: PacketCrossing)] {
        records.compactMap {
            if case .packet(let packet) = $0.observation { ($0.instant, packet) } else { nil }
        }
    }

    var losses: [PacketLoss] {
        records.compactMap { if case .packetLost(let loss) = $0.observation { loss } else { nil } }
    }

    var openings: [ConnectionOpening] {
        records.compactMap {
            if case .connectionOpened(let opening) = $0.observation { opening } else { nil }
        }
    }

    var closings: [ConnectionEnd] {
        records.compactMap {
            if case .connectionClosed(_, let end) = $0.observation { end } else { nil }
        }
    }
}
