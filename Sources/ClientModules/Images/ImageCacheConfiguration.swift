import Foundation
import Quantities

/// How an image cache behaves; everything has a default.
public struct ImageCacheConfiguration: Sendable {
    /// Most bytes of bitmaps kept in memory; a bitmap of more than half of it is not kept.
    public var memoryLimit: ByteCount
    /// Most bytes of files kept on disk.
    public var diskLimit: ByteCount
    /// Where files go: a folder that the system may empty, such as one in Caches.
    ///
    /// Nil for "images" in the environment's directory.
    public var folder: String?
    /// How long a file is good for when the server does not say so (`Cache-Control: max-age`).
    public var freshFor: Duration
    /// How long a 404 or 410 is believed.
    public var refusalsLast: Duration
    /// How long a picture waits for a server that asked by Retry-After to be left alone; a longer wish fails it at once.
    public var patience: Duration
    /// Most of the chance that is added to such a wait.
    public var spread: Duration
    /// Most bitmaps being decoded at a time.
    public var parallelDecodes: Int
    /// Most bytes of bitmaps being decoded at a time; one is always decoded.
    public var decodeLimit: ByteCount
    /// How long after a memory warning the cache stays small.
    public var restAfterPressure: Duration
    /// The address of the variant to fetch for a key, where the server has several sizes of a picture.
    ///
    /// Nil fetches `source` as it is.
    public var variant: (@Sendable (ImageKey) -> URL)?
    /// Fields of every request, such as `Accept`.
    public var headers: [HTTPHeader]
    /// Longest time without a byte moving.
    public var idleTimeout: Duration

    /// Makes a configuration.
    ///
    /// 48 MiB of bitmaps is a quarter of a 192 MB heap, which is Kingfisher's share; 150 MB on disk
    /// is Nuke's, seven days are Kingfisher's. 30 s for refusals, patience and rest, 1 s of spread, two
    /// decodes and 32 MiB of them are choices.
    public init(
        memoryLimit: ByteCount = .mebibytes(48),
        diskLimit: ByteCount = .megabytes(150),
        folder: String? = nil,
        freshFor: Duration = .seconds(7 * 86_400),
        refusalsLast: Duration = .seconds(30),
        patience: Duration = .seconds(30),
        spread: Duration = .seconds(1),
        parallelDecodes: Int = 2,
        decodeLimit: ByteCount = .mebibytes(32),
        restAfterPressure: Duration = .seconds(30),
        variant: (@Sendable (ImageKey) -> URL)? = nil,
        headers: [HTTPHeader] = [],
        idleTimeout: Duration = .seconds(30)
    ) {
        precondition(parallelDecodes >= 1, "\(parallelDecodes) decodes at a time show nothing")
        self.memoryLimit = memoryLimit
        self.diskLimit = diskLimit
        self.folder = folder
        self.freshFor = freshFor
        self.refusalsLast = refusalsLast
        self.patience = patience
        self.spread = spread
        self.parallelDecodes = parallelDecodes
        self.decodeLimit = decodeLimit
        self.restAfterPressure = restAfterPressure
        self.variant = variant
        self.headers = headers
        self.idleTimeout = idleTimeout
    }
}
