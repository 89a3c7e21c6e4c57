import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// Many phones without radios and disks against one server: what an idle client costs in a fleet.
///
/// Each phone has a way and an HTTP client of its own; conditions, modems, server and observations are
/// shared. That is how a fleet is to be built: one `NetworkConditions`, `ModemSet`, `Internet` and
/// `ObservationStream` for all, an `AccessNetwork` and an `HTTPClientEngine` for each, told apart by
/// `device`. An idle phone has no event pending but its connection's idle time-out.
package final class FleetProbe: EventReceiver, HTTPClientEvents, HTTPResponder {
    /// The world that it runs in.
    package let simulation: Simulation
    /// Requests that were answered whole.
    package private(set) var finished = 0
    /// Requests that failed.
    package private(set) var failed = 0
    private let clients: [HTTPClientEngine]
    private let responseBytes: Int
    private let window: Duration
    private var draws: RandomStream

    /// Builds the phones; nothing has been sent.
    package init(clients count: Int, responseBytes: Int = 2_000, seed: UInt64 = 1) {
        let simulation = Simulation(seed: seed)
        let internet = Internet()
        let conditions = NetworkConditions(phases: [
            NetworkPhase(
                name: "own link",
                down: LinkDirection(rate: .megabitsPerSecond(8)),
                up: LinkDirection(rate: .megabitsPerSecond(2)),
                rtt: .milliseconds(60)
            )
        ])
        let modems = ModemSet(AlwaysReadyModem())
        let observations = ObservationStream()
        let settings = HTTPClientSettings()
        clients = (0..<count).map { number in
            HTTPClientEngine(
                network: AccessNetwork(
                    simulation: simulation,
                    conditions: conditions,
                    internet: internet,
                    modems: modems,
                    observations: observations,
                    device: number
                ),
                settings: settings
            )
        }
        self.simulation = simulation
        self.responseBytes = responseBytes
        window = .seconds(30)
        draws = simulation.stream("fleet", purpose: "start")
        internet.register("api.example", responder: self)
    }

    /// Has every phone ask once within the next 30 s, at an instant of its own.
    package func askOnce() {
        let now = simulation.instant
        for number in clients.indices {
            let wait = draws.integer(in: 0...window.wholeNanoseconds)
            simulation.schedule(
                at: now + .nanoseconds(wait),
                for: self,
                payload: UInt64(number)
            )
        }
    }

    /// Plays `span`.
    package func run(for span: Duration) {
        simulation.run(until: simulation.instant + span)
    }

    /// Connections that are open, all phones together.
    package var openConnections: Int { clients.reduce(0) { $0 + $1.openConnections } }

    /// A phone asks.
    package func receive(_ payload: UInt64, at instant: SimulationInstant) {
        _ = clients[Int(payload)].send(
            HTTPRequestHead(method: "GET", host: "api.example", target: "/feed"),
            options: RequestOptions(number: Int64(payload) + 1, owner: "GET /feed"),
            events: self
        )
    }

    // MARK: The server

    /// Takes no notice.
    package func begin(_ exchange: any HTTPExchange) {}
    /// Takes no notice.
    package func receive(_ bytes: [UInt8], of exchange: any HTTPExchange) {}
    /// Answers.
    package func end(_ exchange: any HTTPExchange) {
        let body = [UInt8](repeating: 1, count: responseBytes)
        exchange.respond(HTTPResponseMessage(status: 200, body: body))
    }
    /// Takes no notice.
    package func lost(_ exchange: any HTTPExchange) {}

    // MARK: The clients

    /// Takes no notice.
    package func handedOver(_ bytes: Int64, of token: RequestToken) {}
    /// Takes no notice.
    package func responseHead(status: Int, fields: HTTPFieldList, of token: RequestToken) {}
    /// Takes no notice.
    package func bodyChunk(_ bytes: [UInt8], of token: RequestToken) {}
    /// Counts.
    package func finished(_ token: RequestToken) { finished += 1 }
    /// Counts.
    package func failed(_ failure: TransportFailure, of token: RequestToken) { failed += 1 }
}
