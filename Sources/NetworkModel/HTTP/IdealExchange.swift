import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// One exchange over the textbook's ideal transport: bytes of bodies at the link's rate, nothing else.
///
/// No handshakes, no headers, no acknowledgements, no loss: a body goes as packets of 1,500 bytes, one
/// after another, through the same bottleneck and over the same radio. When the way breaks, both sides
/// know at once; of the packet in hand, the part that was sent counts as having crossed.
final class IdealExchange: ServerAnswering {
    let request: ActiveRequest
    private unowned let network: AccessNetwork
    private unowned let engine: HTTPClientEngine
    private let responder: any HTTPResponder
    private var slot = 0
    private var sent = 0
    private var arrived = 0
    private var exchange: ServerExchange?
    private var response: HTTPResponseMessage?
    private var returned = 0
    private var taken = 0
    private var isOver = false

    init(_ request: ActiveRequest, engine: HTTPClientEngine, responder: any HTTPResponder) {
        self.request = request
        self.engine = engine
        self.responder = responder
        network = engine.network
        slot = network.attach(self)
        // The head weighs nothing, but takes its turn.
        send(0, up: true)
    }

    var owner: String { request.options.owner }

    private func send(_ size: Int, up: Bool) {
        var packet = Packet()
        packet.kind = .ideal
        packet.slot = Int32(slot)
        packet.size = Int32(size)
        packet.payload = Int32(size)
        packet.sequence = Int64(up ? sent : returned)
        packet.address = Int32(network.path.address)
        if up { network.sendUp(packet) } else { network.sendDown(packet) }
    }

    /// Nothing is lost here.
    func lastArrivalBehindGap(of exchange: ServerExchange) -> Int64? { nil }

    /// A packet has left the bottleneck, so the next may follow.
    func transmitted(_ direction: PacketDirection) {
        guard !isOver, direction == .up, sent < request.bodyLength else { return }
        let size = min(engine.settings.idealPacketSize, request.bodyLength - sent)
        send(size, up: true)
        sent += size
        request.handedOver = sent
        request.progressAt = network.simulation.instant
        request.events?.handedOver(Int64(sent), of: request.token)
    }

    /// A packet has reached its end.
    func deliver(_ packet: Packet, toPhone: Bool) {
        guard !isOver else { return }
        request.progressAt = network.simulation.instant
        if toPhone { takeResponse(Int(packet.size)) } else { takeRequest(Int(packet.size)) }
    }

    // MARK: The server

    private func takeRequest(_ size: Int) {
        if exchange == nil {
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
        guard let exchange, !isOver else { return }
        if size > 0 {
            guard let bytes = request.body?.read(arrived..<arrived + size) else {
                return engine.abandon(request, .cancelled)
            }
            arrived += size
            responder.receive(bytes, of: exchange)
        }
        guard arrived == request.bodyLength, !exchange.isWhole, !isOver else { return }
        exchange.isWhole = true
        responder.end(exchange)
    }

    func answer(_ response: HTTPResponseMessage, to exchange: ServerExchange) {
        guard !isOver else { return }
        let fault = network.takeResponseFault(for: exchange.head)
        if let fault {
            fault.fired(exchange.number)
            switch fault.aftermath {
            case .reset, .close: engine.abandon(request, .networkConnectionLost)
            case .blackhole: break
            case .shortened:
                self.response = fault.changed(response)
                returnResponse()
            }
            return
        }
        self.response = response
        returnResponse()
    }

    private func returnResponse() {
        guard let response else { return }
        send(0, up: false)
        while returned < response.body.count {
            let size = min(engine.settings.idealPacketSize, response.body.count - returned)
            send(size, up: false)
            returned += size
        }
    }

    func abort() {
        guard !isOver else { return }
        engine.abandon(request, .networkConnectionLost)
    }

    // MARK: The client

    private func takeResponse(_ size: Int) {
        guard let response else { return }
        if !request.hasResponseHead {
            request.noteResponseHead(at: network.simulation.instant)
            request.events?.responseHead(
                status: response.status,
                fields: response.fields,
                of: request.token
            )
        }
        if size > 0, !isOver {
            let bytes = Array(response.body[taken..<taken + size])
            taken += size
            request.unread.append((bytes, Int64(taken)))
        }
        pull()
    }

    /// Hands on what is there, as far as the client pulls.
    func pull() {
        while !isOver, !request.unread.isEmpty, request.isPulling || !request.options.pullsBody {
            request.isPulling = false
            let chunk = request.unread.removeFirst()
            request.events?.bodyChunk(chunk.bytes, of: request.token)
        }
        guard !isOver, let response, request.hasResponseHead, taken == response.body.count,
            request.unread.isEmpty
        else { return }
        over()
        engine.complete(request)
    }

    // MARK: The end

    /// The way is broken: told at once, on both sides.
    func broke() {
        guard !isOver else { return }
        engine.abandon(request, .networkConnectionLost)
    }

    /// The client gave it up.
    func abandoned() {
        guard !isOver else { return }
        over()
        if let exchange, !exchange.isAnswered { responder.lost(exchange) }
    }

    private func over() {
        isOver = true
        request.ideal = nil
        network.detachIdeal(slot)
    }
}
