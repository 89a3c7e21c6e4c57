/// A route of which every request changes the server's state, and what its effects are known by.
package struct MutationRoute: Equatable, Sendable {
    /// Method and path.
    package var pattern: RoutePattern
    /// The member of the JSON body that holds several, each read like a body of its own; nil for one a request.
    package var batch: String?
    /// What identifies an effect.
    package var identity: EffectField
    /// What an effect belongs to, for order; nil if order is free.
    package var entity: EffectField?
    /// What is done with idempotency keys.
    package var key: IdempotencyRule
    /// The status of success.
    package var status: Int

    /// Makes a route; the status is 201 for POST, 204 for DELETE and 200 otherwise.
    package init(
        _ pattern: RoutePattern,
        batch: String? = nil,
        identity: EffectField,
        entity: EffectField? = nil,
        key: IdempotencyRule = .honoured,
        status: Int? = nil
    ) {
        self.pattern = pattern
        self.batch = batch
        self.identity = identity
        self.entity = entity
        self.key = key
        self.status =
            status ?? (pattern.method == "POST" ? 201 : pattern.method == "DELETE" ? 204 : 200)
    }

    /// Whether repeating a request is the same as sending it once (RFC 9110, 9.2.2).
    var isIdempotentMethod: Bool {
        pattern.method == "PUT" || pattern.method == "DELETE"
    }
}
