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
    public init(_ identity: String, on entity: String = "") {
        effect = TapEffect(identity: identity, entity: entity)
    }
}
