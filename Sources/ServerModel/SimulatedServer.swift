import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// The far end: services that follow the standards which clients speak, strictly, and keep the truth.
///
/// Mutations with `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), tus 1.0.0 uploads,
/// fixed resources, expiring tokens (RFC 6749), capacity, outages and error scripts. What a client
/// does against a standard is reported as a protocol violation, and answered as the standard says.
/// A mutation takes effect when its processing ends, before the answer is sent: a lost answer leaves
/// it done. The body of a refused request is read to its end and dropped.
package final class SimulatedServer: HTTPResponder {
    /// How it behaves.
    package let configuration: ServerConfiguration
    /// What it did, oldest first; the newest `logLimit` lines.
    package internal(set) var log: [ServerLogEntry] = []
    /// How many lines the log keeps.
    package var logLimit = 10_000

    let simulation: Simulation
    let observations: ObservationStream
    var flights: [ObjectIdentifier: ServerFlight] = [:]
    var mutationRoutes: [MutationRoute] = []
    var resources: [(pattern: RoutePattern, answer: (HTTPRequestHead) -> HTTPResponseMessage)] = []
    var idempotency: IdempotencyStore
    var occurrences: [EffectName: Int] = [:]
    var currentStates: [String: UInt64] = [:]
    var uploads: [String: StoredUpload] = [:]
    var uploadNames: [String] = []
    var tokens: TokenService?
    var images: ImageService?
    var watch = RetryAfterWatch()
    var outage: Outage?
    var refusesConnectionsUntil: SimulationInstant = .zero
    var scripts: [ArmedScript] = []
    private var bucket: AdmissionBucket?
    /// The request whose body came last; forgotten with its flight.
    private var arriving: ServerFlight?
    private var requestCounts: [RequestCount: Int] = [:]

    /// What an effect is counted by.
    struct EffectName: Hashable {
        var route: String
        var identity: String
    }

    private struct RequestCount: Hashable {
        var device: Int
        var route: String
    }

    /// Starts a server without routes but for uploads.
    package init(
        configuration: ServerConfiguration = .init(),
        simulation: Simulation,
        observations: ObservationStream
    ) {
        self.configuration = configuration
        self.simulation = simulation
        self.observations = observations
        idempotency = IdempotencyStore(lifetime: configuration.idempotencyKeysLive)
        bucket = configuration.capacity.map { AdmissionBucket(perSecond: $0) }
        tokens = configuration.tokens.map { TokenService(policy: $0) }
        if let catalogue = configuration.images { serveImages(catalogue) }
    }

    /// The world is over: what the server kept, and whom it would tell, is forgotten.
    package func discard() {
        log = []
        flights = [:]
        arriving = nil
        mutationRoutes = []
        resources = []
        idempotency = IdempotencyStore(lifetime: configuration.idempotencyKeysLive)
        occurrences = [:]
        currentStates = [:]
        uploads = [:]
        uploadNames = []
        tokens = nil
        images = nil
        watch = RetryAfterWatch()
        scripts = []
        requestCounts = [:]
    }

    /// Simulated time.
    var now: SimulationInstant { simulation.instant }

    // MARK: HTTPResponder

    /// Whether a new connection is taken now.
    package var acceptsConnections: Bool {
        now >= refusesConnectionsUntil
    }

    /// A request's head has arrived: decides who serves it, and whether at all.
    package func begin(_ exchange: any HTTPExchange) {
        guard acceptsConnections else {
            exchange.abort()
            note(exchange, route: routeName(of: exchange.head), status: 0, "connection refused")
            return
        }
        let flight: ServerFlight
        if let refusal = refusal(at: now) {
            flight = ServerFlight(
                exchange,
                at: now,
                route: routeName(of: exchange.head),
                service: .refused(refusal)
            )
        } else {
            let (route, service) = resolve(exchange)
            flight = ServerFlight(exchange, at: now, route: route, service: service)
        }
        flights[ObjectIdentifier(exchange)] = flight
        if exchange.head.bodyLength > 0 { watchBody(of: flight) }
        if case .upload(.append(let upload, let checksum)) = flight.service {
            upload.lock = .init(holder: exchange, end: nil)
            upload.beginAppend(configuration.partialBodies, verifying: checksum != nil)
        }
    }

    /// Bytes of a body have arrived: an upload takes them in at once, others keep them.
    package func receive(_ bytes: [UInt8], of exchange: any HTTPExchange) {
        guard let flight = flight(of: exchange), !flight.isWhole else { return }
        flight.received += bytes.count
        flight.lastProgress = now
        switch flight.service {
        case .upload(.append(let upload, _)):
            upload.take(bytes)
        case .mutation, .tokens:
            guard Int64(flight.received) <= configuration.maximumMutationSize.bytes else { return }
            flight.body += bytes
        case .refused, .rejected, .resource, .upload:
            break
        }
    }

    /// The request of an exchange, found without a look-up when it is the one that arrives.
    private func flight(of exchange: any HTTPExchange) -> ServerFlight? {
        if let arriving, arriving.exchange === exchange { return arriving }
        arriving = flights[ObjectIdentifier(exchange)]
        return arriving
    }

    /// A request is whole: prepares it, thinks, takes effect and answers.
    package func end(_ exchange: any HTTPExchange) {
        guard let flight = flights[ObjectIdentifier(exchange)], !flight.isWhole else { return }
        flight.isWhole = true
        simulation.cancel(flight.timeout)
        checkPatience(of: flight)
        switch prepare(flight) {
        case .now(let answer):
            finish(flight, with: answer)
        case .afterThinking(let work):
            let span = think(about: flight)
            guard span > .zero else {
                finish(flight, with: work())
                return
            }
            simulation.scheduleUnowned(at: now + span) { [self] in
                finish(flight, with: work())
            }
        }
    }

    /// The connection broke: ends a request that is not whole, and remembers who got no answer.
    package func lost(_ exchange: any HTTPExchange) {
        watch.forget(exchange)
        guard let flight = flights[ObjectIdentifier(exchange)] else { return }
        flight.isLost = true
        // A request that is whole is served to its end: the server learns of the loss as it answers.
        guard !flight.isWhole else { return }
        giveUp(flight, "connection lost")
    }

    /// The process that got the answer to request `number` died before it could write it down.
    package func answerWasForgotten(number: Int64) {
        watch.forget(number: number)
    }

    /// The answer to request `number` came to a process whose code has not seen it yet.
    package func answerArrived(number: Int64) {
        watch.wait(for: number)
    }

    /// The code of a process knows the answer to request `number` from `instant` on.
    package func answerWasSeen(number: Int64, at instant: SimulationInstant) {
        watch.know(number, from: instant)
    }

    /// Ends a request whose body will not arrive; keeps of an upload what the server would.
    func giveUp(_ flight: ServerFlight, _ reason: String) {
        let exchange = flight.exchange
        flights[ObjectIdentifier(exchange)] = nil
        if arriving === flight { arriving = nil }
        simulation.cancel(flight.timeout)
        var outcome = "\(reason) after \(flight.received) bytes of the body"
        if case .upload(.append(let upload, _)) = flight.service {
            outcome += "; \(breakAppend(to: upload, of: exchange))"
        }
        note(exchange, route: flight.route, status: 0, outcome)
        if !flight.isLost { exchange.abort() }
    }

    /// Gives a request up when its body has stood still for too long, or looks again later.
    private func watchBody(of flight: ServerFlight) {
        let limit = configuration.bodyTimeout
        flight.timeout = simulation.scheduleUnowned(at: flight.lastProgress + limit) { [self] in
            guard flights[ObjectIdentifier(flight.exchange)] === flight, !flight.isWhole else {
                return
            }
            // Looked at only where patience ends, so that nothing else is scheduled otherwise.
            if flight.lastProgress + limit <= now,
                let arrival = flight.exchange.lastArrivalBehindGap
            {
                flight.lastProgress = max(
                    flight.lastProgress,
                    SimulationInstant(nanoseconds: arrival)
                )
            }
            guard flight.lastProgress + limit > now else {
                giveUp(flight, "timed out")
                return
            }
            watchBody(of: flight)
        }
    }

    // MARK: The life of a request

    /// How a whole request goes on.
    enum Preparation {
        case now(ServerAnswer)
        case afterThinking(() -> ServerAnswer)
    }

    private func prepare(_ flight: ServerFlight) -> Preparation {
        switch flight.service {
        case .refused(let answer):
            return .now(answer)
        case .rejected(let answer):
            return .afterThinking { answer }
        case .resource(let response):
            if let error = scriptedError(for: flight, identity: nil, at: .beforeProcessing) {
                return .afterThinking { error }
            }
            let answer = ServerAnswer(response: response, outcome: "served")
            return .afterThinking { answer }
        case .mutation(let route):
            return prepareMutation(flight, route)
        case .tokens:
            return prepareTokens(flight)
        case .upload(let operation):
            return prepareUpload(flight, operation)
        }
    }

    private func finish(_ flight: ServerFlight, with answer: ServerAnswer) {
        let exchange = flight.exchange
        flights[ObjectIdentifier(exchange)] = nil
        if arriving === flight { arriving = nil }
        var response = answer.response
        // RFC 9110, 9.3.2: the answer to a HEAD has no content.
        if exchange.head.method == "HEAD" { response.body = [] }
        // RFC 9110, 6.6.1: a server with a clock sends the date.
        response.fields.append("Date", HTTPDate.text(wallClock(at: now)))
        report(
            .serverRequest(
                ServerRequestNote(
                    route: flight.route,
                    status: response.status,
                    isRefusal: answer.isRefusal,
                    request: exchange.number
                )
            ),
            of: exchange
        )
        note(exchange, route: flight.route, status: response.status, answer.outcome)
        guard !flight.isLost else { return }
        if let wait = waitAsked(by: response, at: now) {
            watch.ask(operation(of: flight), toWaitUntil: now + wait, exchange: exchange)
        }
        exchange.respond(response)
    }

    private func think(about flight: ServerFlight) -> Duration {
        let range = configuration.think
        guard !range.isFixed else { return range.lower }
        let device = flight.exchange.device
        let count = RequestCount(device: device, route: flight.route)
        let number = requestCounts[count, default: 0] + 1
        requestCounts[count] = number
        var stream = simulation.stream(
            "server",
            entity: "\(device)/\(flight.route)/\(number)",
            purpose: "think"
        )
        return stream.duration(in: range)
    }

    // MARK: What stands in front of the services

    private func refusal(at now: SimulationInstant) -> ServerAnswer? {
        if let outage, now < outage.end {
            return .problem(
                outage.status,
                "The service is not available",
                fields: outage.fields(at: now, self),
                isRefusal: true
            )
        }
        guard bucket?.admit(at: now) == false else { return nil }
        let fields = configuration.overloadRetryAfter.map {
            [("Retry-After", Self.wholeSeconds($0))]
        }
        return .problem(503, "Too many requests at once", fields: fields ?? [], isRefusal: true)
    }

    /// Reports a client that comes back before it was asked to.
    private func checkPatience(of flight: ServerFlight) {
        guard
            let early = watch.earliness(
                of: operation(of: flight),
                by: flight.exchange,
                at: flight.arrival
            )
        else { return }
        violate(
            flight.exchange,
            route: flight.route,
            "a request was repeated \(early.compactText) before the end of the Retry-After that "
                + "answered it (RFC 9110, 10.2.3)"
        )
    }

    private func operation(of flight: ServerFlight) -> RetryAfterWatch.Operation {
        let head = flight.exchange.head
        let key = head.fields["Idempotency-Key"] ?? String(ContentDigest(of: flight.body).value)
        return .init(
            device: flight.exchange.device,
            method: head.method,
            target: head.target,
            key: key
        )
    }

    /// How long a response asks its client to wait; nil if it does not.
    private func waitAsked(by response: HTTPResponseMessage, at now: SimulationInstant) -> Duration?
    {
        guard let text = response.fields["Retry-After"] else { return nil }
        if let seconds = Int64(text) { return .seconds(seconds) }
        return HTTPDate.read(text).map { $0 - wallClock(at: now) }
    }
}
