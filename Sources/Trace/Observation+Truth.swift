import Quantities

/// Something that the person did, and what it will be known by at the server.
package struct UserAction: Equatable, Sendable {
    /// Counted from one in a run.
    package var action: Int64
    /// The workload verb, such as "message.send".
    package var kind: String
    /// What identifies the effect at the server, such as the message's id or the file's.
    package var identity: String
    /// Effects on one entity must happen in the order of the actions; empty if order is free.
    package var entity: String
    /// Of actions that share this, only the last promised one has to take effect; empty if none.
    package var supersession: String
    /// Bytes to upload, or zero.
    package var size: ByteCount
    /// Value of the `ContentDigest` of the bytes to upload, or zero.
    package var digest: UInt64

    /// Makes an action.
    package init(
        action: Int64,
        kind: String,
        identity: String,
        entity: String = "",
        supersession: String = "",
        size: ByteCount = .zero,
        digest: UInt64 = 0
    ) {
        self.action = action
        self.kind = kind
        self.identity = identity
        self.entity = entity
        self.supersession = supersession
        self.size = size
        self.digest = digest
    }
}

/// What the app told its user in the end.
package enum ActionOutcome: String, Sendable, CaseIterable {
    case acknowledged
    case superseded
    case deadLettered
    case rejected
    case expired
    case sourceUnavailable
    /// Given up without knowing: it may have taken effect, and the person was told so.
    case unknown
    /// The person took it back, and the app said that it is gone.
    case cancelled
}

/// A request as it reached the server.
package struct ServerRequestNote: Equatable, Sendable {
    /// Route template, such as "POST /messages".
    package var route: String
    /// The status answered.
    package var status: Int
    /// Whether an outage, a script or capacity made the answer.
    package var isRefusal: Bool
    /// The phone's number of the request, as in `RequestStart`; zero if unknown.
    package var request: Int64

    /// Makes a note.
    package init(route: String, status: Int, isRefusal: Bool = false, request: Int64 = 0) {
        self.route = route
        self.status = status
        self.isRefusal = isRefusal
        self.request = request
    }
}

/// The server changed its state: the truth that guarantees are judged by.
package struct ServerEffect: Equatable, Sendable {
    /// Route template, such as "POST /messages".
    package var route: String
    /// What identifies the effect, such as the message's id in its body.
    package var identity: String
    /// The entity it belongs to, such as the conversation; empty if none.
    package var entity: String
    /// How often this identity has now taken effect: 2 is a duplicate.
    package var occurrence: Int
    /// The phone's number of the request that caused it; zero if unknown.
    package var request: Int64
    /// `ContentDigest` of its Idempotency-Key, or zero: tells whether two keys differ.
    package var keyDigest: UInt64

    /// Makes an effect.
    package init(
        route: String,
        identity: String,
        entity: String,
        occurrence: Int,
        request: Int64 = 0,
        keyDigest: UInt64 = 0
    ) {
        self.route = route
        self.identity = identity
        self.entity = entity
        self.occurrence = occurrence
        self.request = request
        self.keyDigest = keyDigest
    }
}

/// What happened to an upload at the server.
package struct ServerUploadEvent: Equatable, Sendable {
    /// The server's own name for the upload, such as "u3".
    package var upload: String
    /// What the client named it in its metadata; empty if it did not.
    package var identity: String
    package var kind: Kind
    /// The phone's number of the request that caused it; zero if unknown.
    package var request: Int64

    /// What happened.
    package enum Kind: Equatable, Sendable {
        case created(length: ByteCount)
        /// The offset after the bytes were kept.
        case appended(offset: ByteCount)
        /// All bytes are there; the value of their `ContentDigest`.
        case completed(digest: UInt64)
        case expired
        case terminated
    }

    /// Makes an event.
    package init(upload: String, identity: String, kind: Kind, request: Int64 = 0) {
        self.upload = upload
        self.identity = identity
        self.kind = kind
        self.request = request
    }
}

/// A client did what the protocol forbids.
package struct ProtocolViolation: Equatable, Sendable {
    /// The route, such as "PATCH /files/*".
    package var route: String
    /// The rule and its source, as a sentence.
    package var rule: String

    /// Makes a violation.
    package init(route: String, rule: String) {
        self.route = route
        self.rule = rule
    }
}

/// What became of a declared fault.
package enum FaultEvent: Equatable, Sendable {
    case fired(detail: String)
    case healed
    /// It came due, but there was nothing to harm, such as a kill of a process that was dead.
    case absorbed(reason: String)
}
