import Foundation

/// What makes two pictures one: where it comes from, how large it is shown, what is done to it.
///
/// The size belongs to it: keyed by address alone, the first thumbnail that is asked for would be
/// shown full screen, or a full-screen bitmap kept for each thumbnail.
public struct ImageKey: Sendable, Hashable {
    /// Where the original is.
    public var source: URL
    /// The place where it is shown.
    public var size: PixelSize
    /// What the decoder does to it after decoding, by name, in this order, such as "circle".
    public var transforms: [String]

    /// Makes a key.
    public init(source: URL, size: PixelSize, transforms: [String] = []) {
        self.source = source
        self.size = size
        self.transforms = transforms
    }
}
