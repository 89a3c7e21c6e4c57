import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Trace

/// A server in a world of its own, without a network: requests arrive at once and whole, or in pieces.
final class ServerBench: ObservationSink {
    let simulation: Simulation
    let server: SimulatedServer
    private(set) var records: [TraceRecord] = []
    private var requests: Int64 = 0

    init(_ configuration: ServerConfiguration = .immediate, seed: UInt64 = 1) {
        simulation = Simulation(seed: seed)
        let observations = ObservationStream()
        server = SimulatedServer(
            configuration: configuration,
            simulation: simulation,
            observations: observations
        )
        observations.add(self)
    }

    func observe(_ record: TraceRecord) {
        records.append(record)
    }

    func finish(at end: SimulationInstant) {}

    /// Opens an exchange whose head has arrived; `again` when the transport repeats one that was there.
    @discardableResult
    func open(
        _ method: String,
        _ target: String,
        _ fields: [(String, String)] = [],
        length: Int = 0,
        device: Int = 0,
        began: Duration? = nil,
        again: BenchExchange? = nil
    ) -> BenchExchange {
        requests += 1
        let head = HTTPRequestHead(
            method: method,
            host: "api.example",
            target: target,
            fields: HTTPFieldList(fields),
            bodyLength: length
        )
        let exchange = BenchExchange(
            number: again?.number ?? requests,
            device: device,
            head: head,
            simulation: simulation
        )
        exchange.clientBegan = began.map { $0.wholeNanoseconds }
        server.begin(exchange)
        return exchange
    }

    /// Sends a whole request, now, and returns its exchange.
    @discardableResult
    func send(
        _ method: String,
        _ target: String,
        _ fields: [(String, String)] = [],
        body: [UInt8] = [],
        device: Int = 0
    ) -> BenchExchange {
        let exchange = open(method, target, fields, length: body.count, device: device)
        if !body.isEmpty { server.receive(body, of: exchange) }
        server.end(exchange)
        return exchange
    }

    /// Posts a message with a key; nil sends none.
    @discardableResult
    func post(
        _ id: String,
        key: String?,
        text: String = "hello",
        conversation: String = "c1",
        began: Duration? = nil,
        again: BenchExchange? = nil
    ) -> BenchExchange {
        let fields = key.map { [("Idempotency-Key", "\"\($0)\"")] } ?? []
        let json = #"{"id":"\#(id)","conversation":"\#(conversation)","text":"\#(text)"}"#
        let exchange = open(
            "POST",
            "/messages",
            fields,
            length: json.utf8.count,
            began: began,
            again: again
        )
        server.receive(Array(json.utf8), of: exchange)
        server.end(exchange)
        return exchange
    }

    func run(until seconds: Duration) {
        simulation.run(until: .zero + seconds)
    }

    var effects: [ServerEffect] {
        records.compactMap {
            if case .serverEffect(let effect) = $0.observation { effect } else { nil }
        }
    }

    var violations: [String] {
        records.compactMap {
            if case .protocolViolation(let violation) = $0.observation {
                violation.rule
            } else {
                nil
            }
        }
    }

    var uploadEvents: [ServerUploadEvent.Kind] {
        records.compactMap {
            if case .serverUpload(let event) = $0.observation { event.kind } else { nil }
        }
    }

    var notes: [ServerRequestNote] {
        records.compactMap {
            if case .serverRequest(let note) = $0.observation { note } else { nil }
        }
    }
}

/// An exchange that keeps what the server did with it.
final class BenchExchange: HTTPExchange {
    let number: Int64
    let device: Int
    let head: HTTPRequestHead
    var clientState: HTTPClientState?
    var clientBegan: Int64?
    var clientAnswered: Int64?
    private(set) var response: HTTPResponseMessage?
    private(set) var answered: SimulationInstant?
    private(set) var isAborted = false
    private let simulation: Simulation

    init(number: Int64, device: Int, head: HTTPRequestHead, simulation: Simulation) {
        self.number = number
        self.device = device
        self.head = head
        self.simulation = simulation
    }

    func respond(_ response: HTTPResponseMessage) {
        guard self.response == nil else { return }
        self.response = response
        answered = simulation.instant
    }

    func abort() {
        isAborted = true
    }

    var status: Int? { response?.status }

    func field(_ name: String) -> String? { response?.fields[name] }

    var text: String { String(decoding: response?.body ?? [], as: UTF8.self) }
}

extension ServerConfiguration {
    /// Answers without thinking, and asks nothing that a test does not ask for.
    static var immediate: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.think = QuantityRange(.zero)
        return configuration
    }

    static func thinking(_ span: Duration) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.think = QuantityRange(span)
        return configuration
    }
}
