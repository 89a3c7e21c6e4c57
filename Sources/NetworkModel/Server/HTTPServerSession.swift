import HTTPVocabulary
import Quantities
import SimulationKernel

/// What travels from client to server, record by record.
enum RequestRecord {
    case handshake(flight: Int)
    case head(ActiveRequest)
    case body([UInt8])
    case end
}

/// What travels back.
enum ResponseRecord {
    case handshake(flight: Int)
    case ticket
    case head(HTTPResponseMessage)
    /// A range of the response's body.
    case body(Range<Int>, HTTPResponseMessage)
}

/// The server's end of one connection: reads requests, hands them to the responder, writes answers.
final class HTTPServerSession: TCPEndpointUser, ServerAnswering, EventReceiver {
    /// Silence after which a server closes a connection that idles (nginx's documented default).
    static let idleTimeout = Duration.seconds(75)

    /// What the client wrote; the client's side appends.
    var incoming = RecordStream<RequestRecord>()
    var outgoing = RecordStream<ResponseRecord>()
    /// What strikes the request that is on its way; nil for nothing.
    var fault: RequestFault?

    private let costs: SecurityCosts
    private let responder: any HTTPResponder
    private unowned let network: AccessNetwork
    private unowned let endpoint: TCPEndpoint
    private var exchange: ServerExchange?
    private var expectedBody = 0
    private var idleEvent = EventHandle.none
    private var resetAtOffset: Int64 = .max
    private var isDeaf = false

    init(
        costs: SecurityCosts,
        responder: any HTTPResponder,
        network: AccessNetwork,
        endpoint: TCPEndpoint
    ) {
        self.costs = costs
        self.responder = responder
        self.network = network
        self.endpoint = endpoint
    }

    // MARK: The stream

    func opened(_ endpoint: TCPEndpoint) {}

    func lastArrivalBehindGap(of exchange: ServerExchange) -> Int64? {
        endpoint.gapArrivalAt < 0 ? nil : endpoint.gapArrivalAt
    }

    func received(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        endpoint.consume(upTo: offset)
        guard !isDeaf else { return }
        while let record = incoming.next(before: offset) {
            switch record.content {
            case .handshake(let flight): answerHandshake(flight)
            case .head(let request): begin(request)
            case .body(let bytes):
                receive(bytes)
            case .end:
                fault = nil
                guard let exchange else { continue }
                exchange.isWhole = true
                responder.end(exchange)
            }
            guard endpoint.state != .closed, !isDeaf else { return }
        }
    }

    private func receive(_ bytes: [UInt8]) {
        guard let exchange else { return }
        guard let (passing, cut) = fault?.take(bytes) else {
            return responder.receive(bytes, of: exchange)
        }
        if !passing.isEmpty { responder.receive(passing, of: exchange) }
        fault = nil
        cut.act()
        if cut.breaks {
            lose(exchange)
            endpoint.abort()
        } else {
            // Nothing more of it arrives; the server learns of it by its own patience.
            isDeaf = true
        }
    }

    private func answerHandshake(_ flight: Int) {
        if flight + 1 < costs.flights.count {
            write(.handshake(flight: flight + 1), length: 0, size: costs.flights[flight + 1])
        } else if costs.tickets > 0 {
            write(.ticket, length: 0, size: costs.tickets)
        }
    }

    private func begin(_ request: ActiveRequest) {
        network.simulation.cancel(idleEvent)
        if fault?.isDiscarded == true { return endpoint.abort() }
        let exchange = ServerExchange(
            number: request.options.number,
            device: network.device,
            head: request.head,
            session: self,
            request: request
        )
        self.exchange = exchange
        responder.begin(exchange)
    }

    func acknowledged(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        if offset >= resetAtOffset { return endpoint.abort() }
        // The silence begins when the client has all that was answered.
        if exchange == nil, offset == endpoint.writtenOffset { awaitIdle() }
    }

    func peerFinished(_ endpoint: TCPEndpoint) {
        if let exchange, !exchange.isWhole { lose(exchange) }
        endpoint.finish()
    }

    func closed(_ endpoint: TCPEndpoint, _ reason: TCPClosing) {
        network.simulation.cancel(idleEvent)
        if let exchange { lose(exchange) }
    }

    private func lose(_ exchange: ServerExchange) {
        self.exchange = nil
        if !exchange.isAnswered { responder.lost(exchange) }
    }

    // MARK: Answers

    /// Writes a response, unless a fault takes it or this end has sent its FIN.
    ///
    /// The client may have closed while the server thought, or the server may have closed an idle
    /// connection just as the request was on its way: nobody hears the answer then.
    func answer(_ response: HTTPResponseMessage, to exchange: ServerExchange) {
        guard endpoint.state != .closed, exchange === self.exchange else { return }
        guard !endpoint.finishRequested else {
            self.exchange = nil
            return
        }
        if exchange.isWhole { self.exchange = nil }
        let fault = network.takeResponseFault(for: exchange.head)
        let start = outgoing.written
        appendResponse(fault?.changed(response) ?? response)
        let whole = outgoing.written - start
        guard let fault else {
            return endpoint.write(whole)
        }
        if fault.aftermath == .shortened {
            fault.fired(exchange.number)
            return endpoint.write(whole)
        }
        let passing = min(whole, Int64(fault.bytes))
        if passing > 0 { endpoint.write(passing) }
        fault.fired(exchange.number)
        if fault.aftermath == .close { return endpoint.finish() }
        guard fault.aftermath == .reset, endpoint.state != .closed else { return }
        if passing == 0 { endpoint.abort() } else { resetAtOffset = endpoint.writtenOffset }
    }

    private func appendResponse(_ response: HTTPResponseMessage) {
        let head = response.headWireSize
        outgoing.append(.head(response), length: head, size: costs.wireSize(of: head))
        var offset = 0
        while offset < response.body.count {
            let end = min(response.body.count, offset + SecurityCosts.largestRecord)
            outgoing.append(
                .body(offset..<end, response),
                length: end - offset,
                size: costs.wireSize(of: end - offset)
            )
            offset = end
        }
    }

    private func write(_ content: ResponseRecord, length: Int, size: Int) {
        guard !endpoint.finishRequested else { return }
        outgoing.append(content, length: length, size: size)
        endpoint.write(Int64(size))
    }

    /// Breaks the connection without an answer.
    func abort() {
        exchange = nil
        endpoint.abort()
    }

    private func awaitIdle() {
        network.simulation.cancel(idleEvent)
        idleEvent = network.simulation.schedule(
            at: network.simulation.instant + Self.idleTimeout,
            for: self,
            payload: 0
        )
    }

    /// The connection idled long enough.
    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        endpoint.finish()
    }
}
