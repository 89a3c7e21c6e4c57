import ServerModel

/// The server of a test: say what it accepts, it keeps the truth.
public final class TestServer {
    /// What an effect is known by.
    public struct Identity: Sendable {
        let field: EffectField

        /// A member of the request's JSON body, such as `"id"`.
        public static func json(_ member: String) -> Identity {
            Identity(field: .json(member))
        }

        /// A header field, such as `"Idempotency-Key"`.
        public static func header(_ name: String) -> Identity {
            Identity(field: .header(name))
        }

        /// A segment of the path, counted from one.
        public static func segment(_ number: Int) -> Identity {
            Identity(field: .segment(number))
        }
    }

    struct Route: Sendable {
        let line: String
        let batch: String?
        let identity: EffectField
        let entity: EffectField?
    }

    var routes: [Route] = []

    init() {}

    /// Accepts requests that change state, and says what an effect is known by.
    ///
    /// An `Idempotency-Key` is honoured as the IETF's draft says. `entity` names what must see its
    /// effects in the order of the actions. Traps when `route` is not a method and a path.
    ///
    /// With `batch`, the JSON body has an array of that name, as telemetry sends them: each of its
    /// objects is an effect, and one that is refused refuses them all.
    public func accept(
        _ route: String,
        batch: String? = nil,
        identity: Identity,
        entity: Identity? = nil
    ) {
        routes.append(
            Route(line: route, batch: batch, identity: identity.field, entity: entity?.field)
        )
    }
}
