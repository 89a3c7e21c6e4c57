/// Gets pictures, and keeps them while it runs.
///
/// `ImageCache` is the implementation to use. The protocol is there so that the lab can put another
/// cache, yours or a broken one, into the same app.
public protocol ImageLoading: Sendable {
    /// The picture, from the nearest place that has it; cancelling the calling task gives it up.
    func image(for key: ImageKey, tier: RequestTier) async throws -> ServedImage
    /// Makes what is on its way for `key` at least this urgent; false when nothing is.
    @discardableResult
    func promote(_ key: ImageKey, to tier: RequestTier) -> Bool
    /// Works until the task is cancelled. Call it once a launch, in a task of its own.
    func run() async
}

/// A picture, and where it came from.
public struct ServedImage: Sendable {
    /// The tier that had it.
    public enum Source: Sendable, Equatable {
        /// The decoded bitmap was there.
        case memory
        /// The file was there and was decoded.
        case disk
        /// The file was fetched.
        case network
    }

    /// The bitmap.
    public var image: DecodedImage
    /// Who had it.
    public var source: Source
    /// Whether it was on its way already when it was asked for.
    public var joined: Bool

    /// Makes a serving.
    public init(image: DecodedImage, source: Source, joined: Bool = false) {
        self.image = image
        self.source = source
        self.joined = joined
    }
}
