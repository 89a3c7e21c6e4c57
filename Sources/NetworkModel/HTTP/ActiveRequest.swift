import HTTPVocabulary
import Quantities
import SimulationKernel

/// A request on its way through the client: from `send` to its last event.
final class ActiveRequest {
    enum Stage {
        case resolving
        /// Waits for a connection: one that opens, or one that becomes free.
        case queued
        case exchanging
        case done
    }

    let token: RequestToken
    let head: HTTPRequestHead
    let body: (any RequestBodySource)?
    let options: RequestOptions
    /// Strong until the end: the client may keep nothing else.
    var events: (any HTTPClientEvents)?
    var stage = Stage.resolving
    var connection: (any PooledConnection)?
    var ideal: IdealExchange?
    var handedOver = 0
    /// When the head of the answer was there.
    private(set) var answeredAt: SimulationInstant?
    var wasRetried = false
    /// When a byte last moved either way.
    var progressAt: SimulationInstant
    let startedAt: SimulationInstant
    /// Received and not pulled yet: the bytes, and the stream offset after them.
    var unread: [(bytes: [UInt8], end: Int64)] = []
    var isPulling = false
    var remaining = 0

    init(
        token: RequestToken,
        head: HTTPRequestHead,
        body: (any RequestBodySource)?,
        options: RequestOptions,
        events: any HTTPClientEvents,
        at instant: SimulationInstant
    ) {
        self.token = token
        self.head = head
        self.body = body
        self.options = options
        self.events = events
        progressAt = instant
        startedAt = instant
    }

    var hasResponseHead: Bool { answeredAt != nil }

    /// The head of the answer is there.
    func noteResponseHead(at instant: SimulationInstant) {
        answeredAt = instant
    }

    var bodyLength: Int { body?.length ?? 0 }

    /// Whether a server that may have seen it may see it again (RFC 9110, 9.2.2).
    var isIdempotent: Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(head.method)
    }

    /// Whether it asks for no change, so that it may be replayed as early data (RFC 9110, 9.2.1).
    var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(head.method) }

    /// What a server's exchange may know of it.
    var clientState: HTTPClientState {
        stage == .done
            ? (hasResponseHead ? .answered : .gone) : hasResponseHead ? .answered : .waiting
    }
}
