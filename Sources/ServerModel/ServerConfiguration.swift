import Quantities

/// How the simulated server behaves: what a profile's `server` says.
///
/// A field that is nil sets no limit. Defaults without a source are assumptions, marked as such.
package struct ServerConfiguration: Equatable, Sendable {
    /// Time from the end of a request to its effect and answer, drawn per request.
    ///
    /// The default of 40 to 120 ms is an assumption.
    package var think = QuantityRange<Duration>(.milliseconds(40), .milliseconds(120))
    /// Requests a second that are served; what exceeds it is answered 503.
    ///
    /// A bucket of tokens that holds a tenth of a second's worth, as `research/storm_sim.py` does.
    package var capacity: Int?
    /// What `Retry-After` says beside a 503 for want of capacity; nil sends no such field.
    package var overloadRetryAfter: Duration?
    /// How long a stored result answers for its `Idempotency-Key`.
    ///
    /// The default of 24 h is Stripe's least (docs.stripe.com/api/idempotent_requests).
    package var idempotencyKeysLive: Duration = .seconds(86_400)
    /// What is kept of a PATCH whose connection broke before its end.
    package var partialBodies: PartialBodies = .kept
    /// An unfinished upload is gone this long after its last append; nil keeps it for ever.
    package var uploadsLive: Duration?
    /// Uploads longer than this are refused with 413; sent as `Tus-Max-Size`.
    package var maximumUploadSize: ByteCount?
    /// PATCH bodies longer than this are refused with 413.
    package var maximumChunkSize: ByteCount?
    /// How long an upload stays locked (423) after the connection of its PATCH broke.
    ///
    /// A server that does not notice the break at once holds the lock for as long.
    package var uploadLock: Duration = .zero
    /// The connection of a request whose body stands still for this long is closed.
    ///
    /// Until then a PATCH holds the lock on its upload, even when its client is long gone. tus 1.0.0
    /// (PATCH) asks servers for 30 s. What arrives behind a gap counts as movement. That is kind: a server that
    /// reads from a socket sees nothing until the gap is closed, but the common ones wait for 60 s (nginx
    /// client_body_timeout, tusd -network-timeout), and the gaps of a slow line's queue last about 50 s.
    package var bodyTimeout: Duration = .seconds(30)
    /// Whether a request for a locked upload ends the PATCH that holds it, instead of being told 423.
    ///
    /// draft-ietf-httpbis-resumable-upload (Concurrency) advises it; many tus servers lock.
    package var newRequestsTakeOver = false
    /// Which keys of `Upload-Metadata` say what the client calls the upload; the first found counts.
    package var identityMetadata = ["filename", "id", "name"]
    /// Whether the checksum extension is offered (`Upload-Checksum: sha1 ...`, 460).
    package var checksums = true
    /// Where uploads are created.
    package var uploadPath = "/files"
    /// Bodies of mutations longer than this are refused with 413; 1 MiB is an assumption.
    package var maximumMutationSize = ByteCount.mebibytes(1)
    /// Expiring access tokens; nil asks for none.
    package var tokens: TokenPolicy?
    /// Pictures under `/images/`; nil serves none.
    package var images: ImageCatalogue?

    /// Makes the configuration that every field's default describes.
    package init() {}
}

/// What a server keeps of a PATCH whose connection broke before its end.
///
/// tus 1.0.0: a server SHOULD keep what arrived; proxies that buffer defeat it (tus.io#121).
package enum PartialBodies: Equatable, Sendable {
    /// All bytes that arrived.
    case kept
    /// None: something in front of the server buffers whole requests.
    case none
    /// At most this many of the bytes that arrived.
    case first(ByteCount)
    /// Whole blocks only: the offset falls to a multiple of this, even below one that was confirmed.
    case rolledBack(toBlocksOf: ByteCount)
}

/// Access tokens that expire, and refresh tokens that work once.
package struct TokenPolicy: Equatable, Sendable {
    /// How long an access token is good for; 1 h is what RFC 6749 uses in its examples.
    package var accessTokensLive: Duration
    /// Whether a refresh token that is used twice revokes the session (RFC 9700, 4.14.2).
    package var refreshTokensWorkOnce: Bool
    /// What becomes of a refresh token that was used, while its answer may have been lost.
    package var usedRefreshToken: UsedRefreshToken

    /// Makes a policy.
    package init(
        accessTokensLive: Duration = .seconds(3_600),
        refreshTokensWorkOnce: Bool = true,
        usedRefreshToken: UsedRefreshToken = .isRefused
    ) {
        self.accessTokensLive = accessTokensLive
        self.refreshTokensWorkOnce = refreshTokensWorkOnce
        self.usedRefreshToken = usedRefreshToken
    }
}

/// What a server does when the refresh token before the present one comes again.
///
/// RFC 9700 (4.14.2) has the session revoked, and says nothing of an answer that was lost. A server that
/// forgives answers with the same successor and a new access token; any older token ends the session.
package enum UsedRefreshToken: Equatable, Sendable {
    /// It ends the session, whoever lost the answer.
    case isRefused
    /// It is forgiven for so long after its first use: Amazon Cognito offers up to 60 s
    /// (`RetryGracePeriodSeconds`), others call it a grace period or a reuse interval.
    case isForgiven(for: Duration)
    /// It is forgiven until a token of the answer was used: then the client evidently has it.
    case isForgivenUntilItsSuccessorIsUsed
}
