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
        let identity: String?
        let entity: String
        do {
            identity = try route.identity.read(head, body: flight.body)
            entity = try route.entity?.read(head, body: flight.body) ?? ""
        } catch {
            violate(
                exchange,
                route: flight.route,
                "the body \(error.problem) at byte \(error.offset), where JSON is due (RFC 8259)"
            )
            return .afterThinking { .problem(400, "The body is not the JSON that is due here") }
        }
        if let error = scriptedError(for: flight, identity: identity, at: .beforeProcessing) {
            return .afterThinking { error }
        }
        guard let identity, !identity.isEmpty else {
            violate(
                exchange,
                route: flight.route,
                "\(route.identity.placeText) is missing, which identifies the effect (the "
                    + "contract of this route)"
            )
            return .afterThinking { .problem(400, "What identifies the effect is missing") }
        }
        return meetKey(flight, rule: route.key, payload: flight.body) { [self] in
            perform(flight, route, identity: identity, entity: entity)
        }
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
            if flights[first]?.exchange.clientState == .waiting {
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
        identity: String,
        entity: String
    ) -> ServerAnswer {
        if let error = scriptedError(for: flight, identity: identity, at: .insteadOfEffect) {
            return error
        }
        let outcome = takeEffect(flight, route, identity: identity, entity: entity)
        if var error = scriptedError(for: flight, identity: identity, at: .afterEffect) {
            error.outcome += ", after this: \(outcome)"
            return error
        }
        guard route.status != 204 else { return .empty(204, outcome) }
        let fields = HTTPFieldList([("Content-Type", "application/json")])
        let body = Array("{\"id\":\(JSONText.quoted(identity))}".utf8)
        return ServerAnswer(
            response: HTTPResponseMessage(status: route.status, fields: fields, body: body),
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
