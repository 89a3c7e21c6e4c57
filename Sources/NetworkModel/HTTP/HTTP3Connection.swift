import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// The client's end of one HTTP/3 connection (RFC 9114): a QUIC stream for each request.
///
/// Streams share the window and nothing else: a lost packet holds back only the streams whose bytes it
/// carried. The connection outlives a change of the phone's address.
final class HTTP3Connection: QUICEndpointUser, EventReceiver, PooledConnection {
    /// Bytes of a stream that a QUIC stack takes, beyond what it has sent, before it pushes back; see `HTTPConnection` (assumption: the same).
    private static let smallestSendBuffer = 131_072

    private struct Stream {
        let number: Int
        let request: ActiveRequest
        var bodyOffset = 0
        var isWritten = false
        /// The peer was known to have bytes up to here.
        var acknowledged: Int64 = 0
        /// How many bytes the peer was known to have, and since when.
        var delivered: Int64 = 0
        var deliveredAt: SimulationInstant?
    }

    let host: String
    let security: TransportSecurity
    private(set) var isOpening = true
    private(set) var wasUsed = false
    private let quic: QUICConnection
    private unowned let engine: HTTPClientEngine
    private let session: HTTP3ServerSession
    private let simulation: Simulation
    private let openedAt: SimulationInstant
    private let costs: SecurityCosts
    private var streams: [Stream] = []
    private var streamCount = 0
    private var turn = 0
    private var isComplete = false
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
        quic = QUICConnection(
            on: network,
            settings: engine.settings.quic,
            costs: costs,
            owner: request.options.owner,
            accepts: availability
        )
        session = HTTP3ServerSession(
            responder: responder,
            network: network,
            endpoint: quic.server
        )
        quic.phone.user = self
        quic.server.user = session
        // The pool has to know it before an early request is given to it.
        simulation.schedule(at: simulation.instant, for: self, payload: Step.connect.rawValue)
    }

    private enum Step: UInt64 {
        case connect
        case idle
    }

    var isShared: Bool { true }
    var isReusable: Bool {
        !isOpening && !isClosed && streams.count < FrameCosts.largestConcurrency
    }

    func accepts(_ request: ActiveRequest) -> Bool { isComplete || request.isSafe }

    // MARK: Handshake

    func opened(_ endpoint: QUICEndpoint, isEarly: Bool) {
        if isOpening { becomeUsable() }
        guard !isEarly, !isClosed else { return }
        isComplete = true
        engine.rememberSession(host: host, security: security)
        engine.connectionIsFree(self)
        if streams.isEmpty { awaitIdle() }
    }

    private func becomeUsable() {
        isOpening = false
        quic.phone.write(Int64(HTTP3Costs.clientControl), to: 0)
        engine.network.observations.report(
            .connectionOpened(
                ConnectionOpening(
                    connection: quic.number,
                    host: host,
                    applicationProtocol: "h3",
                    security: costs.name,
                    handshake: simulation.instant - openedAt,
                    owner: quic.owner
                )
            ),
            at: simulation.instant,
            device: engine.network.device
        )
        engine.connectionIsFree(self)
    }

    var awaitsAnswers: Bool { !streams.isEmpty }

    // MARK: Requests

    func begin(_ request: ActiveRequest) {
        simulation.cancel(idleEvent)
        request.connection = self
        request.stage = .exchanging
        request.progressAt = simulation.instant
        quic.owner = request.options.owner
        let fault = engine.network.takeRequestFault(for: request.head)?
            .strike(request.options.number) { [weak quic] in quic?.isSevered = true }
        streamCount += 1
        let number = quic.phone.openStream()
        session.open(number, fault)
        append(
            .head(request),
            size: HTTP3Costs.head(of: request.head.wireSize, isFirst: streamCount == 1),
            to: number
        )
        streams.append(Stream(number: number, request: request))
        if request.bodyLength == 0 { endBody(streams.count - 1) }
        writeBodies()
        if !isClosed { quic.phone.sendPending() }
    }

    private func append(_ content: HTTP3RequestRecord, size: Int, to number: Int) {
        session.append(content, size: size, to: number)
        quic.phone.write(Int64(size), to: number)
    }

    private func endBody(_ index: Int) {
        streams[index].isWritten = true
        append(.end, size: 0, to: streams[index].number)
        quic.phone.finish(streams[index].number)
    }

    /// Gives the streams turns of one frame each, while the stack takes more.
    private func writeBodies() {
        let limit = Int64(max(Self.smallestSendBuffer, 2 * quic.phone.congestion.bytes))
        var moved: [ActiveRequest] = []
        while !isClosed, let index = nextWithBody(below: limit) {
            let stream = streams[index]
            let whole = stream.request.bodyLength
            let end = min(whole, stream.bodyOffset + HTTP3Costs.largestPiece)
            guard let bytes = stream.request.body?.read(stream.bodyOffset..<end) else {
                engine.abandon(stream.request, .cancelled)
                continue
            }
            streams[index].bodyOffset = end
            stream.request.handedOver = end
            append(
                .body(bytes),
                size: bytes.count + HTTP3Costs.dataHeader,
                to: stream.number
            )
            if end == whole { endBody(index) }
            if !moved.contains(where: { $0 === stream.request }) { moved.append(stream.request) }
        }
        guard !moved.isEmpty, !isClosed else { return }
        quic.phone.sendPending()
        for request in moved {
            request.events?.handedOver(Int64(request.handedOver), of: request.token)
        }
    }

    /// The next stream with bytes to write, after the one that had the last turn.
    private func nextWithBody(below limit: Int64) -> Int? {
        for step in 1...max(1, streams.count) where !streams.isEmpty {
            let index = (turn + step) % streams.count
            let stream = streams[index]
            if !stream.isWritten, quic.phone.unsent(stream.number) < limit {
                turn = index
                return index
            }
        }
        return nil
    }

    func lastDelivery(of request: ActiveRequest) -> SimulationInstant? {
        streams.first { $0.request === request }?.deliveredAt
    }

    func acknowledged(_ endpoint: QUICEndpoint) {
        for index in streams.indices {
            // What arrived on one stream is no progress of another.
            let delivered = endpoint.delivered(streams[index].number) ?? 0
            if delivered > streams[index].delivered {
                streams[index].delivered = delivered
                streams[index].deliveredAt = simulation.instant
            }
            let arrived = endpoint.acknowledged(streams[index].number) ?? 0
            guard arrived > streams[index].acknowledged else { continue }
            streams[index].acknowledged = arrived
            streams[index].request.progressAt = simulation.instant
        }
        writeBodies()
    }

    // MARK: Responses

    func received(_ endpoint: QUICEndpoint, stream: Int, upTo offset: Int64) {
        guard let request = request(of: stream) else {
            return endpoint.consume(stream, upTo: offset)
        }
        request.progressAt = simulation.instant
        while !isClosed, let record = session.nextAnswer(of: stream, before: offset) {
            switch record.content {
            case .head(let response): takeHead(response, request)
            case .body(let range, let response):
                request.remaining -= range.count
                request.unread.append((Array(response.body[range]), record.end))
                pull(request)
            }
        }
        if !isClosed, request.unread.isEmpty { endpoint.consume(stream, upTo: offset) }
    }

    private func request(of stream: Int) -> ActiveRequest? {
        streams.first { $0.number == stream }?.request
    }

    private func takeHead(_ response: HTTPResponseMessage, _ request: ActiveRequest) {
        request.noteResponseHead(at: simulation.instant)
        request.remaining = response.body.count
        request.events?.responseHead(
            status: response.status,
            fields: response.fields,
            of: request.token
        )
        finishIfWhole(request)
    }

    func streamReset(_ endpoint: QUICEndpoint, stream: Int) {
        guard let request = request(of: stream) else { return }
        remove(request)
        engine.abandon(request, .networkConnectionLost)
    }

    func pull(_ request: ActiveRequest) {
        while !request.unread.isEmpty, request.isPulling || !request.options.pullsBody {
            request.isPulling = false
            let chunk = request.unread.removeFirst()
            request.progressAt = simulation.instant
            if let stream = streams.first(where: { $0.request === request })?.number {
                quic.phone.consume(stream, upTo: chunk.end)
            }
            request.events?.bodyChunk(chunk.bytes, of: request.token)
        }
        finishIfWhole(request)
        if !isClosed { quic.phone.sendPending() }
    }

    private func finishIfWhole(_ request: ActiveRequest) {
        guard request.stage == .exchanging, request.hasResponseHead, request.remaining == 0,
            request.unread.isEmpty
        else { return }
        // An answer that came before the request was sent whole ends both halves.
        if let stream = streams.first(where: { $0.request === request }), !stream.isWritten {
            quic.phone.reset(stream.number)
        }
        remove(request)
        wasUsed = true
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
        quic.phone.reset(stream.number)
        quic.phone.sendPending()
        if !isClosed, streams.isEmpty { awaitIdle() }
    }

    private func awaitIdle() {
        simulation.cancel(idleEvent)
        idleEvent = simulation.schedule(
            at: simulation.instant + engine.settings.idleConnectionTimeout,
            for: self,
            payload: Step.idle.rawValue
        )
    }

    /// Begins, or has idled long enough: with QUIC's own idle time of 30 s that seldom comes.
    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        guard !isClosed else { return }
        switch Step(rawValue: payload) {
        case .connect: quic.phone.connect()
        case .idle: if streams.isEmpty { shut(.idle, .finished) }
        case nil: preconditionFailure("a connection's event of kind \(payload)")
        }
    }

    private func shut(_ end: ConnectionEnd, _ code: QUICCloseCode) {
        isClosed = true
        quic.phone.user = nil
        quic.phone.close(code)
        forget(end)
    }

    func abort(_ end: ConnectionEnd) {
        guard !isClosed else { return }
        shut(end, .aborted)
    }

    /// QUIC ends with its process, or with its socket, and with it what had not been sent.
    func orphan(_ end: ConnectionEnd) {
        isClosed = true
        quic.phone.vanish()
        forget(end)
    }

    func vanish() {
        orphan(.processDied)
    }

    func closed(_ endpoint: QUICEndpoint, _ reason: QUICClosing) {
        guard !isClosed else { return }
        switch reason {
        case .finished: fail(.finished, .networkConnectionLost)
        case .reset: fail(.reset, .networkConnectionLost)
        case .refused: fail(.reset, .cannotConnectToHost)
        case .silent: fail(streams.isEmpty && !isOpening ? .idle : .timedOut, .timedOut)
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
        forget(end)
        engine.connectionFailed(self, requests: broken, wasOpening: wasOpening, failure)
    }

    private func forget(_ end: ConnectionEnd) {
        simulation.cancel(idleEvent)
        engine.forget(self)
        engine.network.observations.report(
            .connectionClosed(connection: quic.number, end),
            at: simulation.instant,
            device: engine.network.device
        )
    }
}
