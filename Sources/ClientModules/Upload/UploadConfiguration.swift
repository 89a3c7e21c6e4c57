import Foundation
import Quantities
import SQLiteStore

/// How an uploader behaves.
///
/// All but the endpoint has a default that suits photos and videos.
public struct UploadConfiguration: Sendable {
    /// Where uploads are created (tus 1.0).
    public var endpoint: URL
    /// The database's name in the environment's directory.
    public var database: String
    /// Most uploads at a time.
    ///
    /// One is best for a radio; more share the line and finish later.
    public var parallel: Int
    /// Smallest and largest chunk.
    public var chunk: QuantityRange<ByteCount>
    /// How long a chunk should take at the measured rate.
    public var chunkTime: QuantityRange<Duration>
    /// Waits.
    ///
    /// Its deadline and its count of attempts are not used; its time limit of an attempt is for
    /// requests without a body.
    public var retry: RetryPolicy
    /// Keeps retries a share of successes; nil for none.
    ///
    /// Kept in the database across launches.
    public var budget: RetryBudget?
    /// Longest silence of the line during a chunk.
    public var idleTimeout: Duration
    /// Age at which an upload is given up and reported.
    public var giveUpAfter: Duration
    /// Sends `Upload-Checksum: sha1` with each chunk, for servers with the checksum extension.
    ///
    /// Reads each chunk twice.
    public var sendsChecksums: Bool
    /// Hands each file to the system once it is created, where `ClientEnvironment.backgroundTransfers` is there.
    ///
    /// It then goes on while the app is suspended or dead, in one request instead of chunks;
    /// in a few where the system stops a transfer that takes too long (`BackgroundTransfers.timeLimit`).
    public var usesBackgroundTransfers: Bool
    /// Adds credentials.
    public var authorize: RequestAuthorization?
    /// Makes the app's own tables, in the transaction that opens the database.
    public var prepare: (@Sendable (SQLiteConnection) throws -> Void)?
    /// Writes the app's own rows in the transaction that ends an upload: learns of every end exactly once.
    public var settle: (@Sendable (UploadSettlement, SQLiteConnection) throws -> Void)?

    /// Makes a configuration.
    public init(
        endpoint: URL,
        database: String = "uploads.sqlite",
        parallel: Int = 1,
        chunk: QuantityRange<ByteCount> = QuantityRange(.kibibytes(256), .mebibytes(8)),
        chunkTime: QuantityRange<Duration> = QuantityRange(.seconds(5), .seconds(10)),
        retry: RetryPolicy = RetryPolicy(deadline: nil),
        budget: RetryBudget? = RetryBudget(),
        idleTimeout: Duration = .seconds(30),
        giveUpAfter: Duration = .seconds(7 * 86_400),
        sendsChecksums: Bool = false,
        usesBackgroundTransfers: Bool = false,
        authorize: RequestAuthorization? = nil,
        prepare: (@Sendable (SQLiteConnection) throws -> Void)? = nil,
        settle: (@Sendable (UploadSettlement, SQLiteConnection) throws -> Void)? = nil
    ) {
        precondition(parallel >= 1, "an uploader with \(parallel) parallel uploads sends nothing")
        self.endpoint = endpoint
        self.database = database
        self.parallel = parallel
        self.chunk = chunk
        self.chunkTime = chunkTime
        self.retry = retry
        self.budget = budget
        self.idleTimeout = idleTimeout
        self.giveUpAfter = giveUpAfter
        self.sendsChecksums = sendsChecksums
        self.usesBackgroundTransfers = usesBackgroundTransfers
        self.authorize = authorize
        self.prepare = prepare
        self.settle = settle
    }
}

/// How an upload ended, told within the transaction that ends it.
public struct UploadSettlement: Sendable, Equatable {
    /// The upload's identity.
    public var identity: String
    /// The server's address of it; nil if it never got one.
    public var location: URL?
    /// Why it failed; nil for a success.
    public var failure: UploadFailure?

    /// Makes a settlement.
    public init(identity: String, location: URL?, failure: UploadFailure?) {
        self.identity = identity
        self.location = location
        self.failure = failure
    }
}
