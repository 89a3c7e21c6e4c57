import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// What travels on the connection of server-sent events, either way.
enum EventStreamRecord {
    case handshake(flight: Int)
    case ticket
    case request(lastEvent: Int64?)
    case accepted
    case event(Int64, publishedAt: SimulationInstant)
    case comment
}

/// What server-sent events put on the wire (WHATWG HTML, 9.2; chunks of RFC 9112, 7.1).
enum EventStreamCosts {
    static func request(host: String, lastEvent: Int64?) -> Int {
        var fields = HTTPFieldList([
            ("Accept", "text/event-stream"), ("Cache-Control", "no-store"),
        ])
        if let lastEvent { fields.append("Last-Event-ID", String(lastEvent)) }
        return HTTPRequestHead(method: "GET", host: host, target: "/events", fields: fields)
            .wireSize
    }

    /// Status line, Content-Type, Cache-Control, Transfer-Encoding, empty line.
    static let response = 17 + 33 + 25 + 28 + 2

    /// "id: N", "data: …", an empty line, in a chunk of its own.
    static func event(_ id: Int64, size: Int64) -> Int {
        chunk(5 + String(id).utf8.count + 7 + Int(size) + 1)
    }

    /// A colon and an empty line.
    static let comment = chunk(3)

    private static func chunk(_ size: Int) -> Int {
        String(size, radix: 16).utf8.count + 2 + size + 2
    }
}

/// One connection of an event source: TCP, TLS, a request, and a response that does not end.
final class EventSourceConnection: TCPEndpointUser {
    private let channel: LiveChannel
    private let network: AccessNetwork
    private let costs: SecurityCosts
    private let connection: TCPConnection
    private let server: EventStreamSession
    private var awaitedFlights: Int
    private let lastEvent: Int64?
    private let openedAt: SimulationInstant
    private var isOver = false

    init(_ channel: LiveChannel, lastEvent: Int64?) {
        self.channel = channel
        self.lastEvent = lastEvent
        network = channel.network
        openedAt = channel.network.simulation.instant
        costs = SecurityCosts(channel.security, isResumed: false, isEarly: false)
        awaitedFlights = costs.awaitedServerFlights
        let isCaptive = network.path.condition == .captive
        let host = network.internet.host(channel.host)
        connection = TCPConnection(
            on: network,
            settings: TCPSettings(),
            owner: channel.owner,
            isPortal: isCaptive,
            accepts: { isCaptive ? .refusing : host?.acceptance ?? .up }
        )
        server = EventStreamSession(channel.publisher, costs: costs, endpoint: connection.server)
        connection.phone.user = self
        connection.server.user = server
        connection.phone.connect()
    }

    func opened(_ endpoint: TCPEndpoint) {
        if costs.flights.isEmpty { ask() } else { write(.handshake(flight: 0), costs.flights[0]) }
        endpoint.sendPending()
    }

    private func ask() {
        let size = EventStreamCosts.request(host: channel.host, lastEvent: lastEvent)
        write(.request(lastEvent: lastEvent), costs.wireSize(of: size))
    }

    private func write(_ record: EventStreamRecord, _ size: Int) {
        server.incoming.append(record, length: 0, size: size)
        connection.phone.append(Int64(size))
    }

    func received(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        endpoint.consume(upTo: offset)
        channel.heard()
        while !isOver, let record = server.outgoing.next(before: offset) {
            switch record.content {
            case .handshake(let flight):
                if flight + 1 < costs.flights.count {
                    write(.handshake(flight: flight + 1), costs.flights[flight + 1])
                }
                awaitedFlights -= 1
                if awaitedFlights == 0 { ask() }
            case .accepted: noteOpen()
            case .event(let id, let at): channel.received(id, publishedAt: at)
            case .comment, .ticket, .request: break
            }
        }
        if endpoint.state != .closed { endpoint.sendPending() }
    }

    private func noteOpen() {
        network.observations.report(
            .connectionOpened(
                ConnectionOpening(
                    connection: connection.number,
                    host: channel.host,
                    applicationProtocol: "http/1.1",
                    security: costs.name,
                    handshake: network.simulation.instant - openedAt,
                    owner: channel.owner
                )
            ),
            at: network.simulation.instant,
            device: network.device
        )
        channel.opened()
    }

    func acknowledged(_ endpoint: TCPEndpoint, upTo offset: Int64) {}

    func peerFinished(_ endpoint: TCPEndpoint) {
        endpoint.user = nil
        endpoint.finish()
        end(.finished)
    }

    func closed(_ endpoint: TCPEndpoint, _ reason: TCPClosing) {
        switch reason {
        case .finished: end(.finished)
        case .reset, .refused: end(.reset)
        case .timedOut: end(.timedOut)
        case .addressLost: end(.addressLost)
        }
    }

    /// The client takes it for dead.
    func abort() {
        connection.phone.user = nil
        connection.phone.abort()
        end(.timedOut)
    }

    /// The process died, or the power went: nothing more is told.
    func orphan(losesPower: Bool) {
        isOver = true
        if losesPower {
            connection.phone.vanish()
        } else {
            connection.phone.orphan(hasUnread: false)
        }
        report(.processDied)
    }

    private func end(_ reason: ConnectionEnd) {
        guard !isOver else { return }
        isOver = true
        report(reason)
        channel.lost()
    }

    private func report(_ end: ConnectionEnd) {
        network.observations.report(
            .connectionClosed(connection: connection.number, end),
            at: network.simulation.instant,
            device: network.device
        )
    }
}

/// The server's end of it.
final class EventStreamSession: TCPEndpointUser, EventSubscriber {
    var incoming = RecordStream<EventStreamRecord>()
    var outgoing = RecordStream<EventStreamRecord>()
    private let publisher: EventPublisher
    private let costs: SecurityCosts
    private unowned let endpoint: TCPEndpoint

    init(_ publisher: EventPublisher, costs: SecurityCosts, endpoint: TCPEndpoint) {
        self.publisher = publisher
        self.costs = costs
        self.endpoint = endpoint
    }

    func opened(_ endpoint: TCPEndpoint) {}

    func received(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        endpoint.consume(upTo: offset)
        while endpoint.state != .closed, let record = incoming.next(before: offset) {
            switch record.content {
            case .handshake(let flight):
                if flight + 1 < costs.flights.count {
                    write(.handshake(flight: flight + 1), costs.flights[flight + 1])
                } else if costs.tickets > 0 {
                    write(.ticket, costs.tickets)
                }
            case .request(let last):
                write(.accepted, costs.wireSize(of: EventStreamCosts.response))
                publisher.subscribe(self, after: last)
            case .accepted, .comment, .event, .ticket: break
            }
        }
        if endpoint.state != .closed { endpoint.sendPending() }
    }

    func send(event id: Int64) {
        let size = EventStreamCosts.event(id, size: publisher.settings.size.bytes)
        write(.event(id, publishedAt: publisher.instant(of: id)), costs.wireSize(of: size))
        if endpoint.state != .closed { endpoint.sendPending() }
    }

    func sendHeartbeat() {
        write(.comment, costs.wireSize(of: EventStreamCosts.comment))
        if endpoint.state != .closed { endpoint.sendPending() }
    }

    private func write(_ record: EventStreamRecord, _ size: Int) {
        guard endpoint.state != .closed, !endpoint.finishRequested else { return }
        outgoing.append(record, length: 0, size: size)
        endpoint.append(Int64(size))
    }

    func acknowledged(_ endpoint: TCPEndpoint, upTo offset: Int64) {}

    func peerFinished(_ endpoint: TCPEndpoint) {
        publisher.unsubscribe(self)
        endpoint.finish()
    }

    func closed(_ endpoint: TCPEndpoint, _ reason: TCPClosing) {
        publisher.unsubscribe(self)
    }
}
