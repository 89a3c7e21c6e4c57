import HTTPVocabulary
import Quantities
import SimulationKernel

/// What travels from client to server on one HTTP/2 connection, frame by frame.
enum MultiplexedRequestRecord {
    case handshake(flight: Int)
    case preface
    case head(stream: Int, ActiveRequest)
    case body(stream: Int, [UInt8])
    case end(stream: Int)
    case reset(stream: Int)
}

/// What travels back.
enum MultiplexedResponseRecord {
    case handshake(flight: Int)
    case ticket
    case preface
    case head(stream: Int, HTTPResponseMessage)
    case body(stream: Int, Range<Int>, HTTPResponseMessage)
    case reset(stream: Int)
}

/// The server's end of one HTTP/2 connection: exchanges by stream, answers that take turns.
final class MultiplexedServerSession: TCPEndpointUser, ServerAnswering {
    /// Bytes that wait in the server's socket at most, so that streams can take turns (assumption).
    private static let smallestSendBuffer = 65_536

    private struct Answer {
        let stream: Int
        let response: HTTPResponseMessage
        var offset = 0
    }

    var incoming = RecordStream<MultiplexedRequestRecord>()
    var outgoing = RecordStream<MultiplexedResponseRecord>()
    /// What strikes requests that are on their way.
    var faults: [(stream: Int, fault: RequestFault)] = []
    private var isDeaf = false

    private let costs: SecurityCosts
    private let responder: any HTTPResponder
    private unowned let network: AccessNetwork
    private unowned let endpoint: TCPEndpoint
    private var exchanges: [(stream: Int, exchange: ServerExchange)] = []
    private var answers: [Answer] = []
    private var turn = 0
    private var answered = 0
    private var resetAtOffset: Int64 = .max

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

    // MARK: Requests

    func opened(_ endpoint: TCPEndpoint) {}

    func lastArrivalBehindGap(of exchange: ServerExchange) -> Int64? {
        endpoint.gapArrivalAt < 0 ? nil : endpoint.gapArrivalAt
    }

    func received(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        endpoint.consume(upTo: offset)
        while endpoint.state != .closed, !isDeaf, let record = incoming.next(before: offset) {
            switch record.content {
            case .handshake(let flight): answerHandshake(flight)
            case .preface:
                append(.preface, size: costs.wireSize(of: FrameCosts.serverPreface))
            case .head(let stream, let request): begin(request, stream)
            case .body(let stream, let bytes):
                receive(bytes, stream)
            case .end(let stream):
                faults.removeAll { $0.stream == stream }
                guard let exchange = exchange(of: stream) else { continue }
                exchange.isWhole = true
                responder.end(exchange)
            case .reset(let stream): lose(stream)
            }
        }
        if endpoint.state != .closed { endpoint.sendPending() }
    }

    private func receive(_ bytes: [UInt8], _ stream: Int) {
        guard let exchange = exchange(of: stream) else { return }
        guard let index = faults.firstIndex(where: { $0.stream == stream }),
            let (passing, cut) = faults[index].fault.take(bytes)
        else { return responder.receive(bytes, of: exchange) }
        faults.remove(at: index)
        if !passing.isEmpty { responder.receive(passing, of: exchange) }
        cut.act()
        if cut.breaks { breakOff() } else { isDeaf = true }
    }

    private func answerHandshake(_ flight: Int) {
        if flight + 1 < costs.flights.count {
            append(.handshake(flight: flight + 1), size: costs.flights[flight + 1])
        } else if costs.tickets > 0 {
            append(.ticket, size: costs.tickets)
        }
    }

    private func exchange(of stream: Int) -> ServerExchange? {
        exchanges.first { $0.stream == stream }?.exchange
    }

    private func begin(_ request: ActiveRequest, _ stream: Int) {
        if faults.contains(where: { $0.stream == stream && $0.fault.isDiscarded }) {
            return breakOff()
        }
        let exchange = ServerExchange(
            number: request.options.number,
            device: network.device,
            head: request.head,
            session: self,
            request: request
        )
        exchanges.append((stream, exchange))
        responder.begin(exchange)
    }

    private func lose(_ stream: Int) {
        faults.removeAll { $0.stream == stream }
        answers.removeAll { $0.stream == stream }
        guard let exchange = exchange(of: stream) else { return }
        exchanges.removeAll { $0.stream == stream }
        if !exchange.isAnswered { responder.lost(exchange) }
    }

    func acknowledged(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        if offset >= resetAtOffset { return breakOff() }
        writeAnswers()
    }

    func peerFinished(_ endpoint: TCPEndpoint) {
        for (stream, exchange) in exchanges where !exchange.isWhole { lose(stream) }
        endpoint.finish()
    }

    func closed(_ endpoint: TCPEndpoint, _ reason: TCPClosing) {
        for (stream, _) in exchanges { lose(stream) }
    }

    // MARK: Answers

    func answer(_ response: HTTPResponseMessage, to exchange: ServerExchange) {
        guard endpoint.state != .closed, resetAtOffset == .max,
            let stream = exchanges.first(where: { $0.exchange === exchange })?.stream
        else { return }
        if exchange.isWhole { exchanges.removeAll { $0.stream == stream } }
        var fault = network.takeResponseFault(for: exchange.head)
        let response = fault?.changed(response) ?? response
        if let struck = fault {
            struck.fired(exchange.number)
            if struck.aftermath == .shortened {
                fault = nil
            } else if struck.bytes == 0 {
                switch struck.aftermath {
                case .reset: breakOff()
                case .close: endpoint.finish()
                case .blackhole, .shortened: break
                }
                return
            }
        }
        answered += 1
        append(
            .head(stream: stream, response),
            size: costs.wireSize(
                of: FrameCosts.head(of: response.headWireSize, isFirst: answered == 1)
            )
        )
        let passing = fault.map { max(0, $0.bytes - response.headWireSize) }
        var answer = Answer(stream: stream, response: response)
        if let passing {
            // Whole frames within the bytes that get through; the rest is never written.
            while answer.offset + FrameCosts.largestPayload <= passing { writeFrame(&answer) }
            if fault?.aftermath == .reset { resetAtOffset = endpoint.writtenOffset }
            if fault?.aftermath == .close { endpoint.finish() }
        } else if !response.body.isEmpty {
            answers.append(answer)
        }
        writeAnswers()
        if endpoint.state != .closed { endpoint.sendPending() }
    }

    /// Gives the answers turns of one frame each, while the socket takes more.
    private func writeAnswers() {
        let limit = max(
            Self.smallestSendBuffer,
            2 * endpoint.window * endpoint.settings.segmentSize
        )
        guard endpoint.state != .closed, !endpoint.finishRequested, !answers.isEmpty else { return }
        while !answers.isEmpty, endpoint.unacknowledgedBytes < limit {
            turn = (turn + 1) % answers.count
            writeFrame(&answers[turn])
            if answers[turn].offset == answers[turn].response.body.count {
                answers.remove(at: turn)
            }
        }
        endpoint.sendPending()
    }

    private func writeFrame(_ answer: inout Answer) {
        let end = min(answer.response.body.count, answer.offset + FrameCosts.largestPayload)
        append(
            .body(stream: answer.stream, answer.offset..<end, answer.response),
            size: costs.wireSize(of: end - answer.offset + FrameCosts.header)
        )
        answer.offset = end
    }

    private func append(_ content: MultiplexedResponseRecord, size: Int) {
        outgoing.append(content, length: 0, size: size)
        endpoint.append(Int64(size))
    }

    /// Breaks the connection, with all its streams.
    private func breakOff() {
        // The endpoint tells a user that breaks off nothing: the responder learns of it here.
        for (stream, _) in exchanges { lose(stream) }
        endpoint.abort()
    }

    func abort() {
        breakOff()
    }
}
