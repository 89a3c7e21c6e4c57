import Foundation

/// Something that a user did and that a server has to hear of, in the form in which it is stored and sent.
public struct OutboxIntent: Sendable, Equatable {
    /// What the app knows it by, such as the message's id; unique among what is pending.
    public var identity: String
    /// Intents of one entity, such as a conversation, reach the server in the order they were enqueued.
    ///
    /// Empty if order is free.
    public var entity: String
    /// A later intent with the same key replaces this one while it was never sent; nil for never.
    ///
    /// Only for intents that state a whole ("liked: yes"), never for ones that state a change ("+1").
    public var collapseKey: String?
    /// The method, in capitals.
    public var method: String
    /// Path and query, resolved against `OutboxConfiguration.server` when it is sent.
    public var path: String
    /// Media type of the body.
    public var contentType: String
    /// The body.
    ///
    /// Kept in the database: for large content enqueue a reference and use an uploader.
    public var body: Data

    /// Makes an intent.
    public init(
        identity: String,
        entity: String = "",
        collapseKey: String? = nil,
        method: String = "POST",
        path: String,
        contentType: String = "application/json",
        body: Data
    ) {
        self.identity = identity
        self.entity = entity
        self.collapseKey = collapseKey
        self.method = method
        self.path = path
        self.contentType = contentType
        self.body = body
    }
}
