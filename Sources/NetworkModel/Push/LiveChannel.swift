import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// A client that listens to an event stream, and comes back when the connection is lost.
///
/// Transport only: what the app does with an event is not its business. With server-sent events it says
/// what it heard last (`Last-Event-ID`), and gets what the server still keeps; with WebSockets what was
/// published meanwhile is missed.
package final class LiveChannel {
    /// A ping without an answer for so long ends a WebSocket; less where pings are closer (assumption).
    private static let longestPongWait = Duration.seconds(10)

    let network: AccessNetwork
    let host: String
    let owner: String
    let security: TransportSecurity
    let publisher: EventPublisher
    private let settings: LiveSettings
    private let simulation: Simulation
    private var source: EventSourceConnection?
    private var socket: WebSocket?
    private var listener: SocketListener?
    private var lastEvent: Int64?
    private var heardAt = SimulationInstant.zero
    private var openings = 0
    /// Attempts to connect.
    private var connections = 0
    private var isOver = false

    /// Makes a channel that is closed.
    package init(
        _ settings: LiveSettings,
        network: AccessNetwork,
        host: String,
        owner: String,
        security: TransportSecurity,
        publisher: EventPublisher
    ) {
        self.settings = settings
        self.network = network
        self.host = host
        self.owner = owner
        self.security = security
        self.publisher = publisher
        simulation = network.simulation
    }

    /// Connects, and connects again whenever the connection is lost.
    package func open() {
        simulation.scheduleUnowned(at: simulation.instant) { [self] in connect() }
    }

    /// The process is gone.
    package func processDied() { end(losesPower: false) }

    /// The phone lost power.
    package func powerLost() { end(losesPower: true) }

    private func end(losesPower: Bool) {
        guard !isOver else { return }
        isOver = true
        source?.orphan(losesPower: losesPower)
        if losesPower { socket?.powerLost() } else { socket?.processDied() }
        source = nil
        socket = nil
        listener = nil
    }

    // MARK: Connecting

    private func connect() {
        guard !isOver else { return }
        // Without a route it waits as long as for a failed attempt.
        guard network.path.hasRoute else { return lost() }
        heardAt = simulation.instant
        connections += 1
        switch settings.over {
        case .websocket:
            connectSocket()
            watch(connections)
        case .sse:
            network.resolve(host, owner: owner) { [self] exists in
                guard !isOver else { return }
                guard exists else { return lost() }
                source = EventSourceConnection(self, lastEvent: lastEvent)
                watch(connections)
            }
        }
    }

    private func connectSocket() {
        let way = EventsUnderWay()
        let listener = SocketListener(self, way)
        self.listener = listener
        socket = WebSocket.connect(
            on: network,
            host: host,
            acceptor: SocketAcceptor(publisher, way),
            events: listener,
            owner: owner,
            security: security,
            heartbeat: settings.ping.map {
                WebSocketHeartbeat(interval: $0, timeout: min($0, Self.longestPongWait))
            } ?? .none
        )
    }

    /// Looks whether anything was heard for the time-out.
    private func watch(_ number: Int) {
        guard let timeout = settings.timeout, number == connections, !isOver else { return }
        let due = heardAt + timeout
        guard due <= simulation.instant else {
            simulation.scheduleUnowned(at: due) { [self] in watch(number) }
            return
        }
        source?.abort()
        socket?.abort(.unanswered)
    }

    // MARK: What the connection tells

    func heard() { heardAt = simulation.instant }

    func opened() {
        openings += 1
        report(.opened(times: openings))
    }

    func received(_ id: Int64, publishedAt: SimulationInstant) {
        heard()
        lastEvent = max(id, lastEvent ?? 0)
        report(.received(id, after: simulation.instant - publishedAt))
    }

    func lost() {
        source = nil
        socket = nil
        listener = nil
        guard !isOver else { return }
        simulation.scheduleUnowned(at: simulation.instant + settings.retry) { [self] in
            if source == nil, socket == nil { connect() }
        }
    }

    private func report(_ event: LiveEvent) {
        network.observations.report(
            .live(event),
            at: simulation.instant,
            device: network.device
        )
    }
}

/// When the events that are on their way on one WebSocket were published.
///
/// Messages arrive in the order in which they were sent, so no more is kept than is on its way.
private final class EventsUnderWay {
    private var events: [(id: Int64, publishedAt: SimulationInstant)] = []

    func send(_ id: Int64, publishedAt instant: SimulationInstant) { events.append((id, instant)) }

    func receive(_ id: Int64) -> SimulationInstant {
        precondition(events.first?.id == id, "event \(id) arrived before those sent ahead of it")
        return events.removeFirst().publishedAt
    }
}

/// The client's end of a WebSocket that carries events.
private final class SocketListener: WebSocketEvents {
    private unowned let channel: LiveChannel
    private let way: EventsUnderWay

    init(_ channel: LiveChannel, _ way: EventsUnderWay) {
        self.channel = channel
        self.way = way
    }

    func opened(_ socket: WebSocket) { channel.opened() }

    /// An event's number is its first eight bytes; an empty message is a sign of life.
    func message(_ bytes: [UInt8], on socket: WebSocket) {
        channel.heard()
        guard bytes.count >= 8 else { return }
        let id = bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        channel.received(id, publishedAt: way.receive(id))
    }

    func closed(_ socket: WebSocket, _ reason: WebSocketClosing) { channel.lost() }
}

/// The server's side: each socket is a subscription.
private final class SocketAcceptor: WebSocketAcceptor {
    private let publisher: EventPublisher
    private let way: EventsUnderWay

    init(_ publisher: EventPublisher, _ way: EventsUnderWay) {
        self.publisher = publisher
        self.way = way
    }

    func accept(_ socket: WebSocket) -> any WebSocketEvents {
        SocketSubscription(socket, publisher, way)
    }
}

private final class SocketSubscription: WebSocketEvents, EventSubscriber {
    private weak var socket: WebSocket?
    private let publisher: EventPublisher
    private let way: EventsUnderWay

    init(_ socket: WebSocket, _ publisher: EventPublisher, _ way: EventsUnderWay) {
        self.socket = socket
        self.publisher = publisher
        self.way = way
    }

    func opened(_ socket: WebSocket) { publisher.subscribe(self, after: nil) }

    func message(_ bytes: [UInt8], on socket: WebSocket) {}

    func closed(_ socket: WebSocket, _ reason: WebSocketClosing) { publisher.unsubscribe(self) }

    func send(event id: Int64) {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: id >> (56 - 8 * $0)) }
        let rest = max(0, Int(publisher.settings.size.bytes) - 8)
        guard socket?.send(number + [UInt8](repeating: 0, count: rest)) == true else { return }
        way.send(id, publishedAt: publisher.instant(of: id))
    }

    func sendHeartbeat() { socket?.send([]) }
}
