import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// The client's end of one HTTP/2 connection: many streams over one TCP.
///
/// Frames of all streams share one ordered byte stream: a lost packet holds back every stream behind
/// it, which is TCP's head-of-line blocking. Bodies are cut into frames that take turns.
final class MultiplexedConnection: TCPEndpointUser, EventReceiver, PooledConnection {
    /// See `HTTPConnection`: the send space of a Darwin socket.
    private static let smallestSendBuffer = 131_072

    private struct Stream {
        let number: Int
        let request: ActiveRequest
        var bodyOffset = 0
        var isWritten = false
    }

    let host: String
    let security: TransportSecurity
    private(set) var isOpening = true
    private(set) var wasUsed = false
    private let tcp: TCPConnection
    private unowned let engine: HTTPClientEngine
    private let costs: SecurityCosts
    private let session: MultiplexedServerSession
    private let simulation: Simulation
    private let openedAt: SimulationInstant
    private var streams: [Stream] = []
    private var streamCount = 0
    private var turn = 0
    private var nextFlight = 0
    private var awaitedFlights: Int
    private var isClosed = false
    private var idleEvent = EventHandle.none

    init(
        for request: ActiveRequest,
        engine: HTTPClientEngine,
        responder: any HTTPResponder,
        availability: @escaping () -> Internet.Availability,
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
            accepts: availability
        )
        session = MultiplexedServerSession(
            costs: costs,
            responder: responder,
            network: network,
            endpoint: tcp.server
        )
        tcp.phone.user = self
        tcp.server.user = session
        tcp.phone.connect()
    }

    var isShared: Bool { true }
    var isReusable: Bool {
        !isOpening && !isClosed && streams.count < FrameCosts.largestConcurrency
    }

    func accepts(_ request: ActiveRequest) -> Bool { awaitedFlights == 0 || request.isSafe }

    func lastDelivery(of request: ActiveRequest) -> SimulationInstant? { tcp.phone.lastDelivery }

    // MARK: Handshake

    func opened(_ endpoint: TCPEndpoint) {
        writeFlight()
        if costs.flights.isEmpty || costs.isEarly { becomeUsable() }
        if !isClosed { tcp.phone.sendPending() }
    }

    private func writeFlight() {
        guard nextFlight < costs.flights.count else { return }
        append(.handshake(flight: nextFlight), size: costs.flights[nextFlight])
        nextFlight += 2
    }

    private func takeServerFlight() {
        awaitedFlights -= 1
        writeFlight()
        guard awaitedFlights == 0 else { return tcp.phone.sendPending() }
        engine.rememberSession(host: host, security: security)
        if isOpening { becomeUsable() } else { engine.connectionIsFree(self) }
        if !isClosed { tcp.phone.sendPending() }
    }

    private func becomeUsable() {
        isOpening = false
        append(.preface, size: costs.wireSize(of: FrameCosts.clientPreface))
        engine.network.observations.report(
            .connectionOpened(
                ConnectionOpening(
                    connection: tcp.number,
                    host: host,
                    applicationProtocol: "h2",
                    security: costs.name,
                    handshake: simulation.instant - openedAt,
                    owner: tcp.owner
                )
            ),
            at: simulation.instant,
            device: engine.network.device
        )
        engine.connectionIsFree(self)
        if streams.isEmpty { awaitIdle() }
    }

    // MARK: Requests

    func begin(_ request: ActiveRequest) {
        simulation.cancel(idleEvent)
        request.connection = self
        request.stage = .exchanging
        request.progressAt = simulation.instant
        tcp.owner = request.options.owner
        streamCount += 1
        if let plan = engine.network.takeRequestFault(for: request.head),
            let fault = plan.strike(
                request.options.number,
                sever: { [weak tcp] in tcp?.isSevered = true }
            )
        {
            session.faults.append((streamCount, fault))
        }
        let size = FrameCosts.head(of: request.head.wireSize, isFirst: streamCount == 1)
        append(.head(stream: streamCount, request), size: costs.wireSize(of: size))
        streams.append(Stream(number: streamCount, request: request))
        if request.bodyLength == 0 { endBody(streams.count - 1) }
        writeBodies()
        if !isClosed { tcp.phone.sendPending() }
    }

    private func append(_ content: MultiplexedRequestRecord, size: Int) {
        session.incoming.append(content, length: 0, size: size)
        tcp.phone.append(Int64(size))
    }

    private func endBody(_ index: Int) {
        streams[index].isWritten = true
        append(.end(stream: streams[index].number), size: 0)
    }

    /// Gives the streams turns of one frame each, while the socket takes more.
    private func writeBodies() {
        let limit = max(
            Self.smallestSendBuffer,
            2 * tcp.phone.window * tcp.phone.settings.segmentSize
        )
        var moved: [ActiveRequest] = []
        while !isClosed, tcp.phone.unacknowledgedBytes < limit, let index = nextWithBody() {
            let stream = streams[index]
            let whole = stream.request.bodyLength
            let end = min(whole, stream.bodyOffset + FrameCosts.largestPayload)
            guard let bytes = stream.request.body?.read(stream.bodyOffset..<end) else {
                engine.abandon(stream.request, .cancelled)
                continue
            }
            streams[index].bodyOffset = end
            stream.request.handedOver = end
            append(
                .body(stream: stream.number, bytes),
                size: costs.wireSize(of: bytes.count + FrameCosts.header)
            )
            if end == whole { endBody(index) }
            if !moved.contains(where: { $0 === stream.request }) { moved.append(stream.request) }
        }
        guard !moved.isEmpty, !isClosed else { return }
        tcp.phone.sendPending()
        for request in moved {
            request.events?.handedOver(Int64(request.handedOver), of: request.token)
        }
    }

    /// The next stream with bytes to write, after the one that had the last turn.
    private func nextWithBody() -> Int? {
        for step in 1...max(1, streams.count) where !streams.isEmpty {
            let index = (turn + step) % streams.count
            if !streams[index].isWritten {
                turn = index
                return index
            }
        }
        return nil
    }

    func acknowledged(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        for stream in streams { stream.request.progressAt = simulation.instant }
        writeBodies()
    }

    // MARK: Responses

    func received(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        endpoint.consume(upTo: offset)
        while !isClosed, let record = session.outgoing.next(before: offset) {
            switch record.content {
            case .handshake: takeServerFlight()
            case .ticket, .preface: break
            case .head(let stream, let response): takeHead(response, of: stream)
            case .body(let stream, let range, let response):
                takeBody(Array(response.body[range]), of: stream)
            case .reset(let stream): takeReset(of: stream)
            }
        }
    }

    private func request(of stream: Int) -> ActiveRequest? {
        streams.first { $0.number == stream }?.request
    }

    private func takeHead(_ response: HTTPResponseMessage, of stream: Int) {
        guard let request = request(of: stream) else { return }
        request.progressAt = simulation.instant
        request.noteResponseHead(at: simulation.instant)
        request.remaining = response.body.count
        request.events?.responseHead(
            status: response.status,
            fields: response.fields,
            of: request.token
        )
        finishIfWhole(request)
    }

    private func takeBody(_ bytes: [UInt8], of stream: Int) {
        guard let request = request(of: stream) else { return }
        request.progressAt = simulation.instant
        request.remaining -= bytes.count
        request.unread.append((bytes, 0))
        pull(request)
    }

    private func takeReset(of stream: Int) {
        guard let request = request(of: stream) else { return }
        engine.abandon(request, .networkConnectionLost)
    }

    func pull(_ request: ActiveRequest) {
        while !request.unread.isEmpty, request.isPulling || !request.options.pullsBody {
            request.isPulling = false
            let chunk = request.unread.removeFirst()
            request.progressAt = simulation.instant
            request.events?.bodyChunk(chunk.bytes, of: request.token)
        }
        finishIfWhole(request)
    }

    private func finishIfWhole(_ request: ActiveRequest) {
        guard request.stage == .exchanging, request.hasResponseHead, request.remaining == 0,
            request.unread.isEmpty
        else { return }
        remove(request)
        wasUsed = true
        let isLast = request.head.fields["Connection"]?.lowercased() == "close"
        if isLast, streams.isEmpty { shut(.finished) }
        engine.complete(request)
        if !isClosed { engine.connectionIsFree(self) }
        if !isClosed, streams.isEmpty { awaitIdle() }
    }

    private func remove(_ request: ActiveRequest) {
        streams.removeAll { $0.request === request }
        request.connection = nil
    }

    // MARK: The end

    func drop(_ request: ActiveRequest, _ end: ConnectionEnd) {
        guard !isClosed, let stream = streams.first(where: { $0.request === request }) else {
            return
        }
        remove(request)
        append(.reset(stream: stream.number), size: costs.wireSize(of: FrameCosts.reset))
        tcp.phone.sendPending()
        if !isClosed, streams.isEmpty { awaitIdle() }
    }

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
        if !isClosed, streams.isEmpty { shut(.idle) }
    }

    private func shut(_ end: ConnectionEnd) {
        isClosed = true
        tcp.phone.user = nil
        tcp.phone.finish()
        forget(end)
    }

    func abort(_ end: ConnectionEnd) {
        guard !isClosed else { return }
        isClosed = true
        tcp.phone.abort()
        forget(end)
    }

    func orphan(_ end: ConnectionEnd) {
        isClosed = true
        tcp.phone.orphan(hasUnread: streams.contains { !$0.request.unread.isEmpty })
        forget(end)
    }

    func vanish() {
        isClosed = true
        tcp.phone.vanish()
        forget(.processDied)
    }

    func peerFinished(_ endpoint: TCPEndpoint) {
        guard !isClosed else { return }
        if streams.isEmpty, !isOpening { return shut(.finished) }
        endpoint.finish()
        fail(.reset, .networkConnectionLost)
    }

    func closed(_ endpoint: TCPEndpoint, _ reason: TCPClosing) {
        guard !isClosed else { return }
        switch reason {
        case .finished: fail(.finished, .networkConnectionLost)
        case .reset: fail(.reset, .networkConnectionLost)
        case .refused: fail(.reset, .cannotConnectToHost)
        case .timedOut: fail(.timedOut, .timedOut)
        case .addressLost: fail(.addressLost, .networkConnectionLost)
        }
    }

    private func fail(_ end: ConnectionEnd, _ failure: TransportFailure) {
        let wasOpening = isOpening
        isClosed = true
        isOpening = false
        let broken = streams.map(\.request)
        streams.removeAll()
        for request in broken { request.connection = nil }
        tcp.phone.user = nil
        forget(end)
        engine.connectionFailed(self, requests: broken, wasOpening: wasOpening, failure)
    }

    private func forget(_ end: ConnectionEnd) {
        simulation.cancel(idleEvent)
        engine.forget(self)
        engine.network.observations.report(
            .connectionClosed(connection: tcp.number, end),
            at: simulation.instant,
            device: engine.network.device
        )
    }
}
