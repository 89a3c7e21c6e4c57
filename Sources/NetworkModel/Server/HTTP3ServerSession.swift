import HTTPVocabulary

/// What travels from client to server on one HTTP/3 stream.
enum HTTP3RequestRecord {
    case head(ActiveRequest)
    case body([UInt8])
    case end
}

/// What travels back.
enum HTTP3ResponseRecord {
    case head(HTTPResponseMessage)
    case body(Range<Int>, HTTPResponseMessage)
}

/// The server's end of one HTTP/3 connection: an exchange for each stream.
final class HTTP3ServerSession: QUICEndpointUser, ServerAnswering {
    /// Bytes of a stream that wait unsent in the server's QUIC at most (assumption).
    private static let smallestSendBuffer = 65_536

    /// What the bytes of one stream mean, and how far the server is with it.
    private final class Stream {
        let number: Int
        var requests = RecordStream<HTTP3RequestRecord>()
        var answers = RecordStream<HTTP3ResponseRecord>()
        var exchange: ServerExchange?
        var response: HTTPResponseMessage?
        var offset = 0
        /// Bytes of the body that a fault lets through; the whole otherwise.
        var passing = Int.max
        /// A fault breaks the connection once the peer has all that passes.
        var isCut = false
        /// How much of the stream that is; known when the last of it is written.
        var resetAt = Int64.max
        /// What strikes its request; nil for nothing.
        var fault: RequestFault?

        init(_ number: Int, _ fault: RequestFault?) {
            self.number = number
            self.fault = fault
        }

        /// Whether a fault lets nothing more of the answer through.
        var isAtCut: Bool { response.map { offset >= min($0.body.count, passing) } ?? true }
    }

    private let responder: any HTTPResponder
    private unowned let network: AccessNetwork
    private unowned let endpoint: QUICEndpoint
    private var streams: [Stream] = []
    private var turn = 0
    private var answered = 0
    private var hasOpened = false
    /// A fault: nothing more of what the client sends arrives.
    private var isDeaf = false

    init(responder: any HTTPResponder, network: AccessNetwork, endpoint: QUICEndpoint) {
        self.responder = responder
        self.network = network
        self.endpoint = endpoint
    }

    // MARK: What the client's side appends and takes out

    /// The client has opened a stream, whose request a fault may have struck.
    func open(_ number: Int, _ fault: RequestFault?) {
        streams.append(Stream(number, fault))
    }

    /// The client has written so many bytes to a stream, and this is what they mean.
    func append(_ content: HTTP3RequestRecord, size: Int, to number: Int) {
        stream(number)?.requests.append(content, length: 0, size: size)
    }

    /// The next record of an answer of which all bytes lie before `offset`.
    func nextAnswer(of number: Int, before offset: Int64)
        -> RecordStream<HTTP3ResponseRecord>.Record?
    {
        stream(number)?.answers.next(before: offset)
    }

    private func stream(_ number: Int) -> Stream? {
        streams.first { $0.number == number }
    }

    // MARK: Requests

    func opened(_ endpoint: QUICEndpoint, isEarly: Bool) {
        guard !hasOpened else { return }
        hasOpened = true
        endpoint.write(Int64(HTTP3Costs.serverControl), to: 0)
    }

    /// A server leaves keeping alive to the client.
    var awaitsAnswers: Bool { false }

    func lastArrivalBehindGap(of exchange: ServerExchange) -> Int64? {
        guard let stream = streams.first(where: { $0.exchange === exchange }) else { return nil }
        return endpoint.stream(stream.number)?.gapArrivalAt
    }

    func received(_ endpoint: QUICEndpoint, stream number: Int, upTo offset: Int64) {
        guard !isDeaf else { return }
        endpoint.consume(number, upTo: offset)
        guard let stream = stream(number) else { return }
        while endpoint.state != .closed, !isDeaf, let record = stream.requests.next(before: offset)
        {
            switch record.content {
            case .head(let request): begin(request, stream)
            case .body(let bytes): receive(bytes, stream)
            case .end:
                guard let exchange = stream.exchange else { continue }
                exchange.isWhole = true
                responder.end(exchange)
            }
        }
    }

    private func receive(_ bytes: [UInt8], _ stream: Stream) {
        guard let exchange = stream.exchange else { return }
        guard let (passing, cut) = stream.fault?.take(bytes) else {
            return responder.receive(bytes, of: exchange)
        }
        stream.fault = nil
        if !passing.isEmpty { responder.receive(passing, of: exchange) }
        cut.act()
        if cut.breaks { breakOff() } else { isDeaf = true }
    }

    private func begin(_ request: ActiveRequest, _ stream: Stream) {
        if stream.fault?.isDiscarded == true { return breakOff() }
        let exchange = ServerExchange(
            number: request.options.number,
            device: network.device,
            head: request.head,
            session: self,
            request: request
        )
        stream.exchange = exchange
        responder.begin(exchange)
    }

    func streamReset(_ endpoint: QUICEndpoint, stream number: Int) {
        guard let stream = stream(number) else { return }
        streams.removeAll { $0 === stream }
        lose(stream)
    }

    private func lose(_ stream: Stream) {
        stream.response = nil
        guard let exchange = stream.exchange else { return }
        stream.exchange = nil
        if !exchange.isAnswered { responder.lost(exchange) }
    }

    func acknowledged(_ endpoint: QUICEndpoint) {
        for stream in streams where endpoint.acknowledged(stream.number) ?? 0 >= stream.resetAt {
            return breakOff()
        }
        // What is answered, and known to have arrived, is over.
        streams.removeAll { $0.exchange != nil && endpoint.stream($0.number) == nil }
        writeAnswers()
    }

    func closed(_ endpoint: QUICEndpoint, _ reason: QUICClosing) {
        for stream in streams { lose(stream) }
        streams.removeAll()
    }

    // MARK: Answers

    func answer(_ response: HTTPResponseMessage, to exchange: ServerExchange) {
        guard endpoint.state != .closed,
            let stream = streams.first(where: { $0.exchange === exchange })
        else { return }
        var fault = network.takeResponseFault(for: exchange.head)
        let response = fault?.changed(response) ?? response
        fault?.fired(exchange.number)
        if fault?.aftermath == .shortened { fault = nil }
        // A stream that is closed early is a reset: QUIC tells its end apart from its being cut.
        let isCut = fault?.aftermath == .reset || fault?.aftermath == .close
        if let fault {
            guard fault.bytes > 0 else {
                if isCut { breakOff() }
                return
            }
            // Whole pieces within the bytes that get through; the rest is never written.
            let body = max(0, fault.bytes - response.headWireSize)
            stream.passing = body / HTTP3Costs.largestPiece * HTTP3Costs.largestPiece
        }
        answered += 1
        append(
            .head(response),
            size: HTTP3Costs.head(of: response.headWireSize, isFirst: answered == 1),
            to: stream
        )
        stream.response = response
        stream.isCut = isCut
        noteCut(stream)
        if response.body.isEmpty { finish(stream) }
        writeAnswers()
        endpoint.sendPending()
    }

    /// Gives the answers turns of one piece each, while the stack takes more.
    private func writeAnswers() {
        let limit = Int64(max(Self.smallestSendBuffer, 2 * endpoint.congestion.bytes))
        guard endpoint.state != .closed else { return }
        while let stream = nextWithAnswer(below: limit) {
            guard let response = stream.response else { return }
            let end = min(response.body.count, stream.offset + HTTP3Costs.largestPiece)
            append(
                .body(stream.offset..<end, response),
                size: end - stream.offset + HTTP3Costs.dataHeader,
                to: stream
            )
            stream.offset = end
            noteCut(stream)
            if end == response.body.count { finish(stream) }
        }
        endpoint.sendPending()
    }

    private func noteCut(_ stream: Stream) {
        if stream.isCut, stream.isAtCut { stream.resetAt = stream.answers.written }
    }

    private func nextWithAnswer(below limit: Int64) -> Stream? {
        for step in 1...max(1, streams.count) where !streams.isEmpty {
            let index = (turn + step) % streams.count
            let stream = streams[index]
            if let response = stream.response,
                stream.offset < min(response.body.count, stream.passing),
                endpoint.unsent(stream.number) < limit
            {
                turn = index
                return stream
            }
        }
        return nil
    }

    private func append(_ content: HTTP3ResponseRecord, size: Int, to stream: Stream) {
        stream.answers.append(content, length: 0, size: size)
        endpoint.write(Int64(size), to: stream.number)
    }

    private func finish(_ stream: Stream) {
        endpoint.finish(stream.number)
        stream.response = nil
    }

    /// Breaks the connection, with all its streams.
    private func breakOff() {
        let broken = streams
        endpoint.user = nil
        endpoint.close(.aborted)
        streams.removeAll()
        for stream in broken { lose(stream) }
    }

    /// Breaks the connection without an answer.
    func abort() {
        breakOff()
    }
}
