import Quantities
import SimulationKernel
import Trace

/// One HTTP-like exchange over TCP alone, as the reference grid of `data/tcp` defines it.
///
/// Up: connect, send `bytes`, the server answers 200 bytes once it has all. Down: connect, send
/// 300 bytes, the server answers `bytes`. Time runs from the connect to the answer's last byte.
package struct TCPExchangeProbe: Sendable {
    /// Which way the bulk goes; random loss is in this direction only.
    package var direction: PacketDirection
    package var bytes: Int64
    package var rate: BitRate
    package var rtt: Duration
    package var queue: Int
    package var loss: LossModel
    package var settings: TCPSettings

    /// Makes a probe.
    package init(
        direction: PacketDirection,
        bytes: Int64,
        rate: BitRate,
        rtt: Duration,
        queue: Int = 100,
        loss: LossModel = .none,
        settings: TCPSettings = TCPSettings()
    ) {
        self.direction = direction
        self.bytes = bytes
        self.rate = rate
        self.rtt = rtt
        self.queue = queue
        self.loss = loss
        self.settings = settings
    }

    /// Runs it once; nil if it did not end within `limit` of virtual time.
    ///
    /// The exchange starts at an instant drawn from the seed, so that kernel ticks fall anywhere.
    package func run(
        seed: UInt64,
        limit: Duration = .seconds(240),
        observations: ObservationStream = ObservationStream()
    ) -> Duration? {
        let simulation = Simulation(seed: seed)
        let bulk = LinkDirection(rate: rate, queue: queue, loss: loss)
        let plain = LinkDirection(rate: rate, queue: queue)
        let conditions = NetworkConditions(phases: [
            NetworkPhase(
                name: "probe",
                down: direction == .down ? bulk : plain,
                up: direction == .up ? bulk : plain,
                rtt: rtt
            )
        ])
        var draws = simulation.stream("probe", purpose: "start")
        let start = SimulationInstant(nanoseconds: draws.integer(in: 1...4_000_000))
        simulation.run(until: start)
        let network = AccessNetwork(
            simulation: simulation,
            conditions: conditions,
            internet: Internet(),
            modems: ModemSet(AlwaysReadyModem()),
            observations: observations
        )
        let exchange = TCPExchange(
            on: network,
            settings: settings,
            requestBytes: direction == .up ? bytes : 300,
            responseBytes: direction == .up ? 200 : bytes
        )
        exchange.begin()
        let end = start + limit
        while exchange.finishedAt == nil, simulation.instant < end {
            simulation.run(until: min(end, simulation.instant + .milliseconds(250)))
        }
        return exchange.finishedAt.map { $0 - start }
    }
}

/// Both users of one connection: a client that asks once and a server that answers once.
final class TCPExchange: TCPEndpointUser {
    private let connection: TCPConnection
    private let requestBytes: Int64
    private let responseBytes: Int64
    private let simulation: Simulation
    private(set) var finishedAt: SimulationInstant?
    private var hasAnswered = false
    /// Bytes of the request that have arrived in order.
    private(set) var requestReceived: Int64 = 0
    var whenFinished: (() -> Void)?

    init(
        on network: AccessNetwork,
        settings: TCPSettings,
        requestBytes: Int64,
        responseBytes: Int64
    ) {
        simulation = network.simulation
        self.requestBytes = requestBytes
        self.responseBytes = responseBytes
        connection = TCPConnection(on: network, settings: settings, owner: "probe")
        connection.phone.user = self
        connection.server.user = self
    }

    func begin() {
        connection.phone.connect()
    }

    func opened(_ endpoint: TCPEndpoint) {
        if endpoint.isPhone { endpoint.write(requestBytes) }
    }

    func received(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        endpoint.consume(upTo: offset)
        if !endpoint.isPhone { requestReceived = offset }
        if endpoint.isPhone {
            guard offset >= responseBytes, finishedAt == nil else { return }
            finishedAt = simulation.instant
            whenFinished?()
        } else if offset >= requestBytes, !hasAnswered {
            hasAnswered = true
            endpoint.write(responseBytes)
        }
    }

    func acknowledged(_ endpoint: TCPEndpoint, upTo offset: Int64) {}

    func peerFinished(_ endpoint: TCPEndpoint) {
        endpoint.finish()
    }

    func closed(_ endpoint: TCPEndpoint, _ reason: TCPClosing) {}
}
