import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// One end of a WebSocket (RFC 6455) over TCP and TLS: messages, and a heartbeat that finds half-open peers.
///
/// A peer that is gone without a FIN says nothing, and a connection without data in flight notices
/// nothing: only a ping that stays unanswered tells. Messages are whole; fragments are not modelled.
package final class WebSocket {
    /// How far it has come.
    package enum Stage: Sendable {
        case opening
        case open
        /// A close frame was sent and its answer is awaited.
        case closing
        case closed
    }

    /// How far it has come.
    package internal(set) var stage = Stage.opening
    /// When the peer was last heard.
    package internal(set) var lastHeardAt: SimulationInstant
    /// Told of what happens, until it is closed.
    package weak var events: (any WebSocketEvents)?
    let isClient: Bool
    let heartbeat: WebSocketHeartbeat
    let costs: SecurityCosts
    let simulation: Simulation
    let network: AccessNetwork
    let host: String
    let owner: String
    /// What the peer wrote and has not been taken out.
    var incoming = RecordStream<WebSocketRecord>()
    weak var peer: WebSocket?
    /// The client's end holds the connection; the network holds it for the server's.
    var connection: TCPConnection?
    /// Set before the first byte; the connection owns it and outlives its last event.
    weak var endpoint: TCPEndpoint?
    var acceptor: (any WebSocketAcceptor)?
    /// The server's application, kept while the connection is.
    var application: (any WebSocketEvents)?
    var awaitedFlights: Int
    var openedAt: SimulationInstant
    var pingEvent = EventHandle.none

    init(
        isClient: Bool,
        network: AccessNetwork,
        host: String,
        owner: String,
        costs: SecurityCosts,
        heartbeat: WebSocketHeartbeat
    ) {
        self.isClient = isClient
        self.network = network
        self.host = host
        self.owner = owner
        self.costs = costs
        self.heartbeat = heartbeat
        simulation = network.simulation
        awaitedFlights = costs.awaitedServerFlights
        openedAt = network.simulation.instant
        lastHeardAt = network.simulation.instant
    }

    /// Opens a socket to `host`, whose side of it `acceptor` takes; nothing is told before this returns.
    ///
    /// TCP, TLS and the upgrade take a round trip each with TLS 1.3. Without a route, or a name that
    /// does not resolve, it is closed at once.
    package static func connect(
        on network: AccessNetwork,
        host: String,
        acceptor: any WebSocketAcceptor,
        events: any WebSocketEvents,
        owner: String,
        security: TransportSecurity = .tls13,
        heartbeat: WebSocketHeartbeat = .init(),
        serverHeartbeat: WebSocketHeartbeat = .none
    ) -> WebSocket {
        let costs = SecurityCosts(security, isResumed: false, isEarly: false)
        let client = WebSocket(
            isClient: true,
            network: network,
            host: host,
            owner: owner,
            costs: costs,
            heartbeat: heartbeat
        )
        client.events = events
        client.acceptor = acceptor
        network.simulation.schedule(at: network.simulation.instant) {
            client.begin(serverHeartbeat: serverHeartbeat)
        }
        return client
    }

    /// Sends a message; false if the socket is not open.
    ///
    /// It may still be lost with the connection: only an answer of the peer's application tells.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        guard stage == .open else { return false }
        write(.message(bytes))
        endpoint?.sendPending()
        return true
    }

    /// Closes it in good order: a close frame, the peer's answer, a FIN.
    package func close() {
        switch stage {
        case .open:
            stage = .closing
            simulation.cancel(pingEvent)
            write(.close)
            endpoint?.sendPending()
        case .opening:
            abort(.finished)
        case .closing, .closed:
            break
        }
    }

    /// The process is gone: the system closes the socket, and nothing more is told.
    package func processDied() {
        silence { $0.orphan(hasUnread: false) }
    }

    /// The phone lost power: nothing more is sent, and the peer is told nothing.
    package func powerLost() {
        silence { $0.vanish() }
    }

    private func silence(_ closing: (TCPEndpoint) -> Void) {
        guard stage != .closed else { return }
        events = nil
        stage = .closed
        simulation.cancel(pingEvent)
        if let endpoint { closing(endpoint) }
        report(.processDied)
        letGo()
    }

    // MARK: Opening

    private func begin(serverHeartbeat: WebSocketHeartbeat) {
        guard stage == .opening else { return }
        guard network.path.hasRoute else { return end(.notConnected, nil) }
        network.resolve(host, owner: owner) { [self] exists in
            guard stage == .opening else { return }
            guard exists else { return end(.nameNotFound, nil) }
            open(serverHeartbeat: serverHeartbeat)
        }
    }

    private func open(serverHeartbeat: WebSocketHeartbeat) {
        let isCaptive = network.path.condition == .captive
        let known = network.internet.host(host)
        let tcp = TCPConnection(
            on: network,
            settings: TCPSettings(),
            owner: owner,
            isPortal: isCaptive,
            accepts: { isCaptive ? .refusing : known?.acceptance ?? .up }
        )
        let server = WebSocket(
            isClient: false,
            network: network,
            host: host,
            owner: owner,
            costs: costs,
            heartbeat: serverHeartbeat
        )
        server.acceptor = acceptor
        server.endpoint = tcp.server
        server.peer = self
        peer = server
        endpoint = tcp.phone
        connection = tcp
        tcp.phone.user = self
        tcp.server.user = server
        tcp.phone.connect()
    }

    func upgrade() {
        write(.upgrade)
    }

    func becomeOpen() {
        stage = .open
        lastHeardAt = simulation.instant
        if isClient {
            network.observations.report(
                .connectionOpened(
                    ConnectionOpening(
                        connection: connection?.number ?? 0,
                        host: host,
                        applicationProtocol: "websocket",
                        security: costs.name,
                        handshake: simulation.instant - openedAt,
                        owner: owner
                    )
                ),
                at: simulation.instant,
                device: network.device
            )
        } else {
            application = acceptor?.accept(self)
            events = application
        }
        awaitPing()
        events?.opened(self)
    }

    // MARK: Writing

    func write(_ record: WebSocketRecord) {
        guard let endpoint, endpoint.state != .closed else { return }
        let size = wireSize(of: record)
        peer?.incoming.append(record, length: 0, size: size)
        endpoint.append(Int64(size))
    }

    private func wireSize(of record: WebSocketRecord) -> Int {
        switch record {
        case .handshake(let flight): costs.flights[flight]
        case .ticket: costs.tickets
        case .upgrade: costs.wireSize(of: WebSocketCosts.request(host: host))
        case .accepted: costs.wireSize(of: WebSocketCosts.response)
        case .message(let bytes):
            costs.wireSize(of: WebSocketCosts.frame(of: bytes.count, isMasked: isClient))
        case .ping, .pong: costs.wireSize(of: WebSocketCosts.frame(of: 0, isMasked: isClient))
        case .close: costs.wireSize(of: WebSocketCosts.frame(of: 2, isMasked: isClient))
        }
    }

    // MARK: The end

    /// Breaks it: the peer gets a reset, if one gets through.
    func abort(_ closing: WebSocketClosing) {
        guard stage != .closed else { return }
        let end: ConnectionEnd = closing == .unanswered ? .timedOut : .reset
        endpoint?.user = nil
        endpoint?.abort()
        self.end(closing, end)
    }

    func end(_ closing: WebSocketClosing, _ seen: ConnectionEnd?) {
        guard stage != .closed else { return }
        stage = .closed
        simulation.cancel(pingEvent)
        if let seen { report(seen) }
        let told = events
        events = nil
        letGo()
        told?.closed(self, closing)
    }

    private func report(_ end: ConnectionEnd) {
        guard isClient, let connection else { return }
        network.observations.report(
            .connectionClosed(connection: connection.number, end),
            at: simulation.instant,
            device: network.device
        )
    }

    private func letGo() {
        connection = nil
        acceptor = nil
        application = nil
    }
}
