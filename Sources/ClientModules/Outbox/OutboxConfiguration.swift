import Foundation
import Quantities
import SQLiteStore

/// How an outbox behaves.
///
/// All but the server has a default that suits a messenger.
public struct OutboxConfiguration: Sendable {
    /// What to do with an intent that may have taken effect when the server may have forgotten its key.
    public enum ExpiredKeyAction: Sendable {
        /// Give it up and say so: no double effect without a person's word.
        case deadLetter
        /// Send it again: for intents that do no harm when they take effect twice.
        case resend
        /// Ask the server whether it took effect; a throw counts as a failed attempt.
        case check(@Sendable (OutboxIntent) async throws -> Bool)
    }

    /// Paths of intents are resolved against it; a change of host in an app update reaches old intents.
    public var server: URL
    /// The database's name in the environment's directory; the app's own tables may live in it.
    public var database: String
    /// Most requests at a time, over all entities.
    public var parallel: Int
    /// Waits and the time limit of an attempt.
    ///
    /// Its deadline and its count of attempts are not used.
    public var retry: RetryPolicy
    /// Keeps retries a share of successes; nil for none.
    ///
    /// Kept in the database across launches.
    public var budget: RetryBudget?
    /// Age at which an intent is given up and reported.
    public var giveUpAfter: Duration
    /// How long the server remembers an idempotency key after its first use.
    public var keyLifetime: Duration
    /// What follows when an ambiguous intent has outlived its key.
    public var whenKeyMayHaveExpired: ExpiredKeyAction
    /// 5xx or 409 answers to one intent, while it is the only one that fails, after which it is given up.
    public var poisonAfter: Int
    /// Most bytes of a response that are read and handed to `settle`.
    public var responseLimit: Int
    /// Tells the server's responses from those of others, such as a captive portal's page.
    ///
    /// Needed without TLS alone, where a portal's 200 would pass for an acknowledgement. What is not
    /// the server's counts as a connection that failed. Nil trusts every response.
    public var isFromServer: (@Sendable (_ status: Int, _ headers: [HTTPHeader]) -> Bool)?
    /// Adds credentials.
    public var authorize: RequestAuthorization?
    /// Makes the app's own tables, in the transaction that opens the database.
    public var prepare: (@Sendable (SQLiteConnection) throws -> Void)?
    /// Writes the app's own rows in the transaction that ends an intent: the one place that learns
    /// of every end exactly once.
    ///
    /// A throw undoes the whole transaction, and the end is tried again.
    public var settle: (@Sendable (OutboxSettlement, SQLiteConnection) throws -> Void)?

    /// Makes a configuration.
    ///
    /// Two parallel requests and the poison limit of ten are assumptions. A key lifetime of 24 h is
    /// Stripe's and the shortest common promise; some servers keep keys for 30 min only.
    public init(
        server: URL,
        database: String = "outbox.sqlite",
        parallel: Int = 2,
        retry: RetryPolicy = RetryPolicy(deadline: nil),
        budget: RetryBudget? = RetryBudget(),
        giveUpAfter: Duration = .seconds(7 * 86_400),
        keyLifetime: Duration = .seconds(86_400),
        whenKeyMayHaveExpired: ExpiredKeyAction = .deadLetter,
        poisonAfter: Int = 10,
        responseLimit: Int = 64 << 10,
        isFromServer: (@Sendable (_ status: Int, _ headers: [HTTPHeader]) -> Bool)? = nil,
        authorize: RequestAuthorization? = nil,
        prepare: (@Sendable (SQLiteConnection) throws -> Void)? = nil,
        settle: (@Sendable (OutboxSettlement, SQLiteConnection) throws -> Void)? = nil
    ) {
        precondition(parallel >= 1, "an outbox with \(parallel) parallel requests sends nothing")
        precondition(poisonAfter >= 1, "giving up after \(poisonAfter) answers sends nothing")
        self.server = server
        self.database = database
        self.parallel = parallel
        self.retry = retry
        self.budget = budget
        self.giveUpAfter = giveUpAfter
        self.keyLifetime = keyLifetime
        self.whenKeyMayHaveExpired = whenKeyMayHaveExpired
        self.poisonAfter = poisonAfter
        self.responseLimit = responseLimit
        self.isFromServer = isFromServer
        self.authorize = authorize
        self.prepare = prepare
        self.settle = settle
    }
}

extension OutboxConfiguration {
    /// How long an attempt may take, with the second request that new credentials ask for, and some more.
    ///
    /// Without a time limit a minute is an assumption; what still runs then is sent again under the same key.
    var attemptLimit: Duration {
        let limit = retry.attemptTimeout ?? .seconds(60)
        return limit * (authorize == nil ? 1 : 2) + ProcessClaim.margin
    }
}
