#if canImport(ImageIO) && canImport(CoreGraphics)
import ClientModules
import CoreGraphics
import Foundation
import ImageIO
import Quantities

/// The platform's decoder: it reads JPEG, PNG, HEIC, WebP and whatever else ImageIO knows.
///
/// Decodes at the size of the plan in one step (a thumbnail "always from the image"), so that the
/// full bitmap never exists, and forces the pixels now, not when they are first drawn. Decoding
/// blocks the thread of the task that asks. The content is a `CGImage`.
public struct ImageIODecoder: ImageDecoder {
    /// Draws one transform; nil for a name that it does not know.
    public typealias Transform =
        @Sendable (_ image: CGImage, _ name: String) -> CGImage?

    /// Why a file was not decoded.
    public enum Failure: Error, Equatable {
        /// It is no picture, or not whole.
        case unreadable
        /// Nobody knows the transform of this name.
        case unknownTransform(String)
    }

    private let transform: Transform?

    /// Makes a decoder that draws transforms with `transform`.
    public init(transform: Transform? = nil) {
        self.transform = transform
    }

    /// The size in the file's header.
    public func measure(_ encoded: Data) throws -> PixelSize {
        let options = [kCGImageSourceShouldCache: false] as CFDictionary
        guard let source = CGImageSourceCreateWithData(encoded as CFData, options),
            let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
                as? [CFString: Any],
            let width = properties[kCGImagePropertyPixelWidth] as? Int,
            let height = properties[kCGImagePropertyPixelHeight] as? Int,
            width >= 1, height >= 1
        else { throw Failure.unreadable }
        return PixelSize(width: width, height: height)
    }

    /// Decodes at the plan's size and draws its transforms.
    public func decode(_ encoded: Data, plan: ImageDecodePlan) async throws -> DecodedImage {
        let options =
            [
                kCGImageSourceCreateThumbnailFromImageAlways: true,
                kCGImageSourceShouldCacheImmediately: true,
                kCGImageSourceThumbnailMaxPixelSize: max(plan.size.width, plan.size.height),
            ] as [CFString: Any] as CFDictionary
        guard let source = CGImageSourceCreateWithData(encoded as CFData, nil),
            CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete,
            var image = CGImageSourceCreateThumbnailAtIndex(source, 0, options)
        else { throw Failure.unreadable }
        for name in plan.transforms {
            guard let drawn = transform?(image, name) else {
                throw Failure.unknownTransform(name)
            }
            image = drawn
        }
        return DecodedImage(
            size: PixelSize(width: image.width, height: image.height),
            byteCount: ByteCount(Int64(image.bytesPerRow) * Int64(image.height)),
            content: image
        )
    }
}
#endif
