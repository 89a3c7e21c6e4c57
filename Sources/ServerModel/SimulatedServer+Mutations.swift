import HTTPVocabulary
import Quantities
import Trace

extension SimulatedServer {
    /// How often an identity has taken effect on a route such as "POST /messages".
    package func occurrences(of identity: String, on route: String) -> Int {
        occurrences[EffectName(route: route, identity: identity)] ?? 0
    }

    func prepareMutation(_ flight: ServerFlight, _ route: MutationRoute) -> Preparation {
        let exchange = flight.exchange
        let head = exchange.head
        guard Int64(flight.received) <= configuration.maximumMutationSize.bytes else {
            return .afterThinking { .problem(413, "The body is too long") }
        }
        let named: [(identity: String?, entity: String)]
        do {
            named = try Self.effects(of: head, body: flight.body, on: route)
        } catch {
            violate(
                exchange,
                route: flight.route,
                "the body \(error.problem) at byte \(error.offset), where JSON is due (RFC 8259)"
            )
            return .afterThinking { .problem(400, "The body is not the JSON that is due here") }
        }
        let identities = named.compactMap(\.identity)
        if let error = scriptedError(for: flight, among: identities, at: .beforeProcessing) {
            return .afterThinking { error }
        }
        let effects = named.compactMap { name in
            name.identity.flatMap {
                $0.isEmpty ? nil : NamedEffect(identity: $0, entity: name.entity)
            }
        }
        guard effects.count == named.count, !effects.isEmpty else {
            violate(
                exchange,
                route: flight.route,
                "\(route.identity.placeText) is missing, which identifies the effect (the "
                    + "contract of this route)"
            )
            return .afterThinking { .problem(400, "What identifies the effect is missing") }
        }
        return meetKey(flight, rule: route.key, payload: flight.body) { [self] in
            perform(flight, route, effects)
        }
    }

    /// One effect that a request asks for.
    struct NamedEffect {
        var identity: String
        var entity: String
    }

    /// What a request asks for: one effect, or one for each object of its batch.
    private static func effects(
        of head: HTTPRequestHead,
        body: [UInt8],
        on route: MutationRoute
    ) throws(JSONScanError) -> [(identity: String?, entity: String)] {
        let bodies: [[UInt8]]
        if let batch = route.batch {
            bodies = try JSONMemberScanner.elements(of: batch, in: body)
        } else {
            bodies = [body]
        }
        var effects: [(identity: String?, entity: String)] = []
        for body in bodies {
            let identity = try route.identity.read(head, body: body)
            effects.append((identity, try route.entity?.read(head, body: body) ?? ""))
        }
        return effects
    }

    /// Performs `work` under the request's key, or answers as draft-07, 2.6 and 2.7 say.
    func meetKey(
        _ flight: ServerFlight,
        rule: IdempotencyRule,
        payload: [UInt8],
        work: @escaping () -> ServerAnswer
    ) -> Preparation {
        let exchange = flight.exchange
        let values = exchange.head.fields.fields.filter {
            $0.name.utf8.elementsEqual("Idempotency-Key".utf8, by: { $0 | 0x20 == $1 | 0x20 })
        }
        guard rule != .ignored, let value = values.first?.value else {
            guard rule == .required else { return .afterThinking(work) }
            violate(
                exchange,
                route: flight.route,
                "Idempotency-Key is missing where it is required "
                    + "(draft-ietf-httpapi-idempotency-key-header-07, 2.7)"
            )
            return .afterThinking { .problem(400, "Idempotency-Key is missing") }
        }
        // 255 characters are Stripe's limit; the draft leaves it to the server.
        guard values.count == 1, let key = StructuredString.read(value), !key.isEmpty,
            key.utf8.count <= 255
        else {
            violate(
                exchange,
                route: flight.route,
                "Idempotency-Key is not one string in quotes (RFC 8941, 3.3.3; "
                    + "draft-ietf-httpapi-idempotency-key-header-07, 2.1)"
            )
            return .afterThinking { .problem(400, "Idempotency-Key is malformed") }
        }
        let fingerprint = fingerprint(of: exchange.head, payload: payload)
        let owner = ObjectIdentifier(exchange)
        switch idempotency.meet(key, fingerprint: fingerprint, owner: owner, at: now) {
        case .first:
            return .afterThinking { [self] in
                let answer = work()
                idempotency.finish(key, with: answer.response)
                return answer
            }
        case .replay(let result):
            return .afterThinking {
                ServerAnswer(response: result, outcome: "replayed the stored result of the key")
            }
        case .otherPayload:
            violate(
                exchange,
                route: flight.route,
                "an Idempotency-Key was reused with another payload "
                    + "(draft-ietf-httpapi-idempotency-key-header-07, 2.2)"
            )
            return .afterThinking { .problem(422, "Idempotency-Key belongs to another payload") }
        case .running(let first):
            if let other = flights[first]?.exchange, other.clientState == .waiting,
                !exchange.isNoRepetition(of: other)
            {
                violate(
                    exchange,
                    route: flight.route,
                    "a request was repeated while the client still waits for the first one with "
                        + "the same Idempotency-Key "
                        + "(draft-ietf-httpapi-idempotency-key-header-07, 2.6)"
                )
            }
            return .now(.problem(409, "A request with this Idempotency-Key is being processed"))
        }
    }

    /// Takes effect, unless a script says otherwise.
    private func perform(
        _ flight: ServerFlight,
        _ route: MutationRoute,
        _ effects: [NamedEffect]
    ) -> ServerAnswer {
        let identities = effects.map(\.identity)
        if let error = scriptedError(for: flight, among: identities, at: .insteadOfEffect) {
            return error
        }
        let outcome = effects.map {
            takeEffect(flight, route, identity: $0.identity, entity: $0.entity)
        }.joined(separator: ", ")
        if var error = scriptedError(for: flight, among: identities, at: .afterEffect) {
            error.outcome += ", after this: \(outcome)"
            return error
        }
        guard route.status != 204 else { return .empty(204, outcome) }
        let fields = HTTPFieldList([("Content-Type", "application/json")])
        let names = identities.map { JSONText.quoted($0) }
        let body =
            route.batch == nil
            ? "{\"id\":\(names[0])}" : "{\"ids\":[\(names.joined(separator: ","))]}"
        return ServerAnswer(
            response: HTTPResponseMessage(
                status: route.status,
                fields: fields,
                body: Array(body.utf8)
            ),
            outcome: outcome
        )
    }

    private func takeEffect(
        _ flight: ServerFlight,
        _ route: MutationRoute,
        identity: String,
        entity: String
    ) -> String {
        if route.isIdempotentMethod {
            let address = flight.exchange.head.target
            let state = fingerprint(of: flight.exchange.head, payload: flight.body)
            guard currentStates.updateValue(state, forKey: address) != state else {
                return "\(identity) is the present state already"
            }
        }
        let occurrence = occurrences(of: identity, on: flight.route) + 1
        occurrences[EffectName(route: flight.route, identity: identity)] = occurrence
        report(
            .serverEffect(
                ServerEffect(
                    route: flight.route,
                    identity: identity,
                    entity: entity,
                    occurrence: occurrence,
                    request: flight.exchange.number,
                    keyDigest: keyDigest(of: flight.exchange.head)
                )
            ),
            of: flight.exchange
        )
        return occurrence == 1
            ? "\(identity) took effect" : "\(identity) took effect for the \(occurrence). time"
    }

    /// The digest of the request's Idempotency-Key, or zero: an observation shows no header's value.
    private func keyDigest(of head: HTTPRequestHead) -> UInt64 {
        head.fields["Idempotency-Key"].map { ContentDigest(of: Array($0.utf8)).value } ?? 0
    }

    /// Of method, target and payload (draft-07, 2.4).
    func fingerprint(of head: HTTPRequestHead, payload: [UInt8]) -> UInt64 {
        var digest = ContentDigest()
        digest.update(Array("\(head.method) \(head.target)\n".utf8))
        digest.update(payload)
        return digest.value
    }
}
