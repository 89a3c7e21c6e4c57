import HTTPVocabulary
import Quantities
import Trace

extension SimulatedServer {
    /// Takes requests that change state, and says what their effects are known by.
    ///
    /// `accept("POST /messages", identity: .json("id"), entity: .json("conversation"))`. Every
    /// request that is processed is an effect and counted by its identity, but for two cases: one
    /// whose `Idempotency-Key` is known is answered with the stored result; and a PUT or DELETE
    /// that repeats the present state of its address, payload and all, changes nothing.
    /// With `batch`, the JSON body has an array of that name: each of its objects is an effect, and
    /// one that is refused refuses them all.
    /// Traps when `route` is not a method and a path, or names a segment that it does not have.
    package func accept(
        _ route: String,
        batch: String? = nil,
        identity: EffectField,
        entity: EffectField? = nil,
        key: IdempotencyRule = .honoured,
        status: Int? = nil
    ) {
        let pattern = Self.pattern(route)
        for case .segment(let number)? in [identity, entity] {
            precondition(
                (1...max(1, pattern.segments.count)).contains(number),
                "'\(route)' has no segment \(number)"
            )
        }
        mutationRoutes.append(
            MutationRoute(
                pattern,
                batch: batch,
                identity: identity,
                entity: entity,
                key: key,
                status: status
            )
        )
    }

    /// Answers every request of `route` with `response`; traps when `route` is not one.
    package func serve(_ route: String, with response: HTTPResponseMessage) {
        serve(route) { _ in response }
    }

    /// Answers every request of `route` with what `answer` makes of its head; traps when it is not one.
    package func serve(
        _ route: String,
        answer: @escaping (HTTPRequestHead) -> HTTPResponseMessage
    ) {
        resources.append((Self.pattern(route), answer))
    }

    /// Takes what the lab's own workloads send.
    ///
    /// `POST /messages` with a required key, by `id` within `conversation`; `PUT /likes/*` by `id`
    /// of the toggle within the liked thing; `POST /messages/batch` for clients that send several.
    package func acceptStandardRoutes() {
        accept(
            "POST /messages",
            identity: .json("id"),
            entity: .json("conversation"),
            key: .required
        )
        accept(
            "POST /messages/batch",
            batch: "batch",
            identity: .json("id"),
            entity: .json("conversation"),
            key: .required
        )
        accept("PUT /likes/*", identity: .json("id"), entity: .segment(2))
    }

    private static func pattern(_ text: String) -> RoutePattern {
        do {
            return try RoutePattern(text)
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// The template under which a request is reported: never its identifiers.
    package func routeName(of head: HTTPRequestHead) -> String {
        let path = head.path
        if let route = mutationRoutes.first(where: {
            $0.pattern.matches(method: head.method, path: path)
        }) {
            return route.pattern.description
        }
        if let resource = resources.first(where: {
            $0.pattern.matches(method: head.method, path: path)
        }) {
            return resource.pattern.description
        }
        if path == configuration.uploadPath || path == "/token" { return "\(head.method) \(path)" }
        if uploadName(in: path) != nil { return "\(head.method) \(configuration.uploadPath)/*" }
        return "\(head.method) (no such route)"
    }

    /// Who serves a request, from its head alone.
    func resolve(_ exchange: any HTTPExchange) -> (route: String, ServerFlight.Service) {
        let head = exchange.head
        let path = head.path
        let route = routeName(of: head)
        if tokens != nil, path == "/token" {
            return (route, head.method == "POST" ? .tokens : .rejected(notAllowed(["POST"])))
        }
        if let denial = tokens?.denial(of: head, at: now) {
            return (route, .rejected(denial))
        }
        if path == configuration.uploadPath || uploadName(in: path) != nil {
            let (route, service) = resolveUpload(exchange, route: route)
            return (route, service)
        }
        if let mutation = mutationRoutes.first(where: {
            $0.pattern.matches(method: head.method, path: path)
        }) {
            return (route, .mutation(mutation))
        }
        if let resource = resources.first(where: {
            $0.pattern.matches(method: head.method, path: path)
        }) {
            return (route, .resource(resource.answer(head)))
        }
        let patterns = mutationRoutes.map(\.pattern) + resources.map(\.pattern)
        let methods = patterns.filter { $0.matches(path: path) }.map(\.method)
        guard methods.isEmpty else { return (route, .rejected(notAllowed(methods))) }
        return (route, .rejected(.problem(404, "There is nothing here")))
    }

    /// RFC 9110, 15.5.6: 405 names the methods that are allowed.
    func notAllowed(_ methods: [String]) -> ServerAnswer {
        .problem(
            405,
            "This method is not allowed here",
            fields: [("Allow", methods.joined(separator: ", "))]
        )
    }
}
