import Foundation
import Quantities

/// Turns files into bitmaps: the platform's decoder in an app, a costed one in the lab.
public protocol ImageDecoder: Sendable {
    /// The size that a file's header states, without decoding it; throws on what is no picture.
    func measure(_ encoded: Data) throws -> PixelSize
    /// Decodes at the size of the plan, and never at a larger one on the way.
    ///
    /// Throws on a damaged or incomplete file, and on a transform that it does not know.
    func decode(_ encoded: Data, plan: ImageDecodePlan) async throws -> DecodedImage
}

/// How a file is to be decoded.
public struct ImageDecodePlan: Sendable, Equatable {
    /// The file's own size.
    public var source: PixelSize
    /// A power of two by which it is divided while it is decoded.
    public var factor: Int
    /// Transforms by name, in order.
    public var transforms: [String]

    /// Makes a plan.
    public init(source: PixelSize, factor: Int, transforms: [String] = []) {
        self.source = source
        self.factor = factor
        self.transforms = transforms
    }

    /// The plan that fills `target` with the least memory.
    public init(source: PixelSize, target: PixelSize, transforms: [String] = []) {
        self.init(
            source: source,
            factor: source.downsamplingFactor(for: target),
            transforms: transforms
        )
    }

    /// The size of the bitmap.
    public var size: PixelSize { source.divided(by: factor) }
}

/// A bitmap; its memory is in use for as long as somebody holds its content.
public struct DecodedImage: Sendable {
    /// Its size.
    public var size: PixelSize
    /// What it occupies.
    public var byteCount: ByteCount
    /// The platform's picture, such as a `CGImage`.
    public var content: any Sendable

    /// Makes a bitmap.
    public init(size: PixelSize, byteCount: ByteCount, content: any Sendable) {
        self.size = size
        self.byteCount = byteCount
        self.content = content
    }
}
