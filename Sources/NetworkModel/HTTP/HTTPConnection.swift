import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// The client's end of one HTTP/1.1 connection: handshake, one exchange at a time, reuse.
final class HTTPConnection: TCPEndpointUser, EventReceiver, PooledConnection {
    enum Stage {
        case opening
        case idle
        case busy
        case closed
    }

    /// The least that a socket takes before it pushes back; twice the window if that is more.
    ///
    /// 128 KiB is Darwin's default send space (net.inet.tcp.sendspace).
    private static let smallestSendBuffer = 131_072

    let host: String
    let security: TransportSecurity
    private(set) var stage = Stage.opening
    private(set) var tcp: TCPConnection
    private(set) var request: ActiveRequest?
    /// Whether an exchange has ended on it.
    private(set) var wasUsed = false
    private unowned let engine: HTTPClientEngine
    private let costs: SecurityCosts
    private let session: HTTPServerSession
    private let simulation: Simulation
    private let openedAt: SimulationInstant
    private var nextFlight = 0
    private var awaitedFlights: Int
    private var bodyOffset = 0
    private var isBodyWritten = true
    private var idleEvent = EventHandle.none
    private var peerHasFinished = false

    init(
        for request: ActiveRequest,
        engine: HTTPClientEngine,
        responder: any HTTPResponder,
        availability: @escaping () -> Internet.Availability,
        isPortal: Bool,
        costs: SecurityCosts
    ) {
        host = request.head.host
        security = request.options.security
        self.engine = engine
        self.costs = costs
        let network = engine.network
        simulation = network.simulation
        openedAt = network.simulation.instant
        awaitedFlights = costs.awaitedServerFlights
        tcp = TCPConnection(
            on: network,
            settings: engine.settings.tcp,
            owner: request.options.owner,
            isPortal: isPortal,
            accepts: availability
        )
        session = HTTPServerSession(
            costs: costs,
            responder: responder,
            network: network,
            endpoint: tcp.server
        )
        tcp.phone.user = self
        tcp.server.user = session
        tcp.phone.connect()
    }

    var number: Int64 { tcp.number }
    var isOpening: Bool { stage == .opening }
    var isShared: Bool { false }
    var isReusable: Bool { stage == .idle && !peerHasFinished }

    func accepts(_ request: ActiveRequest) -> Bool { awaitedFlights == 0 || request.isSafe }

    func lastDelivery(of request: ActiveRequest) -> SimulationInstant? { tcp.phone.lastDelivery }

    // MARK: Handshake

    func opened(_ endpoint: TCPEndpoint) {
        guard !costs.flights.isEmpty else { return becomeUsable() }
        writeFlight()
        if costs.isEarly { becomeUsable() }
        if stage != .closed { tcp.phone.sendPending() }
    }

    private func writeFlight() {
        guard nextFlight < costs.flights.count else { return }
        write(.handshake(flight: nextFlight), length: 0, size: costs.flights[nextFlight])
        nextFlight += 2
        if !isOpenForRequests { tcp.phone.sendPending() }
    }

    /// The last flight waits for the request that goes with it.
    private var isOpenForRequests: Bool { awaitedFlights == 0 && engine.hasWaiting(self) }

    private func takeServerFlight() {
        awaitedFlights -= 1
        writeFlight()
        if awaitedFlights == 0 {
            engine.rememberSession(host: host, security: security)
            if !costs.isEarly {
                becomeUsable()
            } else if stage == .idle {
                engine.connectionIsFree(self)
            }
        }
    }

    private func becomeUsable() {
        stage = .idle
        engine.network.observations.report(
            .connectionOpened(
                ConnectionOpening(
                    connection: number,
                    host: host,
                    applicationProtocol: "http/1.1",
                    security: costs.name,
                    handshake: simulation.instant - openedAt,
                    owner: tcp.owner
                )
            ),
            at: simulation.instant,
            device: engine.network.device
        )
        engine.connectionIsFree(self)
        if stage == .idle { awaitIdle() }
    }

    // MARK: Requests

    /// Sends a request; the connection is its own until the response has been taken in.
    func begin(_ request: ActiveRequest) {
        precondition(stage == .idle, "connection \(number) is not free")
        simulation.cancel(idleEvent)
        stage = .busy
        self.request = request
        request.connection = self
        request.stage = .exchanging
        request.progressAt = simulation.instant
        tcp.owner = request.options.owner
        if let fault = engine.network.takeRequestFault(for: request.head) {
            session.fault = fault.strike(request.options.number) { [weak tcp] in
                tcp?.isSevered = true
            }
        }
        let head = request.head.wireSize
        bodyOffset = 0
        isBodyWritten = false
        write(.head(request), length: head, size: costs.wireSize(of: head))
        writeBody()
        if stage == .busy { tcp.phone.sendPending() }
    }

    private func write(_ content: RequestRecord, length: Int, size: Int) {
        session.incoming.append(content, length: length, size: size)
        tcp.phone.append(Int64(size))
    }

    /// Hands the socket as much of the body as it takes.
    private func writeBody() {
        guard let request, !isBodyWritten, !request.hasResponseHead else { return }
        let whole = request.bodyLength
        let before = request.handedOver
        let limit = max(
            Self.smallestSendBuffer,
            2 * tcp.phone.window * tcp.phone.settings.segmentSize
        )
        let slice = security == .none ? 4_096 : SecurityCosts.largestRecord
        while bodyOffset < whole, tcp.phone.unacknowledgedBytes < limit {
            let end = min(whole, bodyOffset + slice)
            guard let bytes = request.body?.read(bodyOffset..<end) else {
                return engine.abandon(request, .cancelled)
            }
            bodyOffset = end
            request.handedOver = end
            write(.body(bytes), length: bytes.count, size: costs.wireSize(of: bytes.count))
            guard stage == .busy else { return }
        }
        if bodyOffset == whole {
            isBodyWritten = true
            write(.end, length: 0, size: 0)
        }
        if request.handedOver > before {
            tcp.phone.sendPending()
            request.events?.handedOver(Int64(request.handedOver), of: request.token)
        }
    }

    func acknowledged(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        request?.progressAt = simulation.instant
        writeBody()
    }

    // MARK: Responses

    func received(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        request?.progressAt = simulation.instant
        while let record = session.outgoing.next(before: offset) {
            switch record.content {
            case .handshake: takeServerFlight()
            case .ticket: break
            case .head(let response): takeHead(response)
            case .body(let range, let response):
                takeBody(Array(response.body[range]), end: record.end)
            }
            guard stage != .closed else { return }
        }
        if request?.unread.isEmpty ?? true { endpoint.consume(upTo: offset) }
        finishIfWhole()
    }

    private func takeHead(_ response: HTTPResponseMessage) {
        guard let request else { return }
        request.noteResponseHead(at: simulation.instant)
        request.remaining = response.body.count
        request.events?.responseHead(
            status: response.status,
            fields: response.fields,
            of: request.token
        )
    }

    private func takeBody(_ bytes: [UInt8], end: Int64) {
        guard let request else { return }
        request.remaining -= bytes.count
        if request.options.pullsBody {
            request.unread.append((bytes, end))
            pull()
        } else {
            request.events?.bodyChunk(bytes, of: request.token)
        }
    }

    /// Hands over one piece of the body if one was asked for and is there.
    func pull(_ request: ActiveRequest) {
        if request === self.request { pull() }
    }

    private func pull() {
        guard let request, request.isPulling, !request.unread.isEmpty else { return }
        request.isPulling = false
        let chunk = request.unread.removeFirst()
        tcp.phone.consume(upTo: chunk.end)
        request.progressAt = simulation.instant
        request.events?.bodyChunk(chunk.bytes, of: request.token)
        finishIfWhole()
    }

    private func finishIfWhole() {
        guard stage == .busy, let request, request.hasResponseHead, request.remaining == 0,
            request.unread.isEmpty
        else { return }
        self.request = nil
        request.connection = nil
        wasUsed = true
        // RFC 9112, 9.6: a client that sends "close" takes no further answer on this connection.
        let isLast = request.head.fields["Connection"]?.lowercased() == "close"
        let isClean = isBodyWritten && !peerHasFinished && !isLast
        stage = isClean ? .idle : .closed
        if !isClean { shut(.finished) }
        engine.complete(request)
        guard stage == .idle else { return }
        engine.connectionIsFree(self)
        if stage == .idle { awaitIdle() }
    }

    // MARK: The end

    private func awaitIdle() {
        simulation.cancel(idleEvent)
        idleEvent = simulation.schedule(
            at: simulation.instant + engine.settings.idleConnectionTimeout,
            for: self,
            payload: 0
        )
    }

    /// The connection idled long enough.
    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        guard stage == .idle else { return }
        shut(.idle)
    }

    /// Closes it in good order: a FIN, and no reuse.
    private func shut(_ end: ConnectionEnd) {
        stage = .closed
        tcp.phone.user = nil
        tcp.phone.finish()
        forget(end)
    }

    func drop(_ request: ActiveRequest, _ end: ConnectionEnd) {
        abort(end)
    }

    /// Breaks it: a cancelled or timed-out exchange resets its connection.
    func abort(_ end: ConnectionEnd) {
        guard stage != .closed else { return }
        stage = .closed
        tcp.phone.abort()
        forget(end)
    }

    /// The system closes the socket; see `HTTPClientEngine.processDied`.
    func orphan(_ end: ConnectionEnd) {
        stage = .closed
        tcp.phone.orphan(hasUnread: request.map { !$0.unread.isEmpty } ?? false)
        forget(end)
    }

    /// The power is gone.
    func vanish() {
        stage = .closed
        tcp.phone.vanish()
        forget(.processDied)
    }

    func peerFinished(_ endpoint: TCPEndpoint) {
        peerHasFinished = true
        switch stage {
        case .idle:
            shut(.finished)
        case .busy, .opening:
            endpoint.finish()
            if let request, request.hasResponseHead, request.remaining == 0 { return }
            // Closed in the middle: the exchange cannot end well.
            fail(.reset, .networkConnectionLost)
        case .closed:
            break
        }
    }

    func closed(_ endpoint: TCPEndpoint, _ reason: TCPClosing) {
        guard stage != .closed else { return }
        switch reason {
        case .finished: fail(.finished, .networkConnectionLost)
        case .reset: fail(.reset, .networkConnectionLost)
        case .refused: fail(.reset, .cannotConnectToHost)
        case .timedOut: fail(.timedOut, .timedOut)
        case .addressLost: fail(.addressLost, .networkConnectionLost)
        }
    }

    private func fail(_ end: ConnectionEnd, _ failure: TransportFailure) {
        let wasOpening = stage == .opening
        stage = .closed
        let broken = request
        request = nil
        broken?.connection = nil
        tcp.phone.user = nil
        forget(end)
        engine.connectionFailed(
            self,
            requests: broken.map { [$0] } ?? [],
            wasOpening: wasOpening,
            failure
        )
    }

    private func forget(_ end: ConnectionEnd) {
        simulation.cancel(idleEvent)
        engine.forget(self)
        engine.network.observations.report(
            .connectionClosed(connection: number, end),
            at: simulation.instant,
            device: engine.network.device
        )
    }
}
