import Lab

/// What one action of the person does at the server, if it is promised.
public struct ActionEffect: Sendable {
    let effect: TapEffect

    /// Names an effect.
    ///
    /// - Parameters:
    ///   - identity: what the server knows it by: what `accept(_:identity:)` finds in the request.
    ///   - entity: what must see its effects in the order of the actions, such as the conversation;
    ///     none if order is free.
    ///   - isUndoneIfThrown: whether your module promises that it did not happen when the action throws: an
    ///     effect that stands then breaks `outbox.exactly_once`. A `URLError` or a `CancellationError` claims
    ///     no more than that no answer came, and is not held to it.
    public init(_ identity: String, on entity: String = "", isUndoneIfThrown: Bool = false) {
        effect = TapEffect(
            identity: identity,
            entity: entity,
            isUndoneIfThrown: isUndoneIfThrown
        )
    }
}
