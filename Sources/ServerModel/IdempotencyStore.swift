import HTTPVocabulary
import Quantities

/// Results by `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), each for a lifetime.
///
/// Keys are known across routes and clients: a phone that was restored from a backup repeats the
/// keys of the phone before it, and must be recognised.
struct IdempotencyStore {
    /// What a request with a key meets.
    enum Meeting: Equatable {
        /// The key is new: process the request, then `finish` it.
        case first
        /// The first request with this key is still being processed: 409.
        case running(by: ObjectIdentifier)
        /// The key belongs to another payload: 422.
        case otherPayload
        /// The result of the first request.
        case replay(HTTPResponseMessage)
    }

    private struct Entry {
        var fingerprint: UInt64
        var owner: ObjectIdentifier
        var result: HTTPResponseMessage?
        var expiry: SimulationInstant
    }

    private var entries: [String: Entry] = [:]
    private var byAge: [(expiry: SimulationInstant, key: String)] = []
    private var firstAlive = 0
    private let lifetime: Duration

    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// Looks `key` up and takes it when it is new.
    ///
    /// The fingerprint is of method, path and payload (draft-07, 2.4); the owner is the exchange
    /// that asks.
    mutating func meet(
        _ key: String,
        fingerprint: UInt64,
        owner: ObjectIdentifier,
        at now: SimulationInstant
    ) -> Meeting {
        forgetExpired(at: now)
        guard let entry = entries[key] else {
            let expiry = now + lifetime
            entries[key] = Entry(
                fingerprint: fingerprint,
                owner: owner,
                result: nil,
                expiry: expiry
            )
            byAge.append((expiry, key))
            return .first
        }
        guard entry.fingerprint == fingerprint else { return .otherPayload }
        guard let result = entry.result else { return .running(by: entry.owner) }
        return .replay(result)
    }

    /// Stores the result of the request that took `key`.
    mutating func finish(_ key: String, with result: HTTPResponseMessage) {
        entries[key]?.result = result
    }

    /// Keys are forgotten at the end of their lifetime, counted from their first use.
    private mutating func forgetExpired(at now: SimulationInstant) {
        while firstAlive < byAge.count, byAge[firstAlive].expiry <= now {
            let (expiry, key) = byAge[firstAlive]
            if entries[key]?.expiry == expiry { entries[key] = nil }
            firstAlive += 1
        }
        if firstAlive > 1_024, firstAlive * 2 > byAge.count {
            byAge.removeFirst(firstAlive)
            firstAlive = 0
        }
    }
}
