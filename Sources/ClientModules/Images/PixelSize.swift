import Quantities

/// A size in pixels, not in points: 300 points at three pixels a point are 900.
public struct PixelSize: Sendable, Hashable {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// Makes a size; traps on less than one pixel.
    public init(width: Int, height: Int) {
        precondition(width >= 1 && height >= 1, "\(width)x\(height) shows nothing")
        self.width = width
        self.height = height
    }

    /// What a bitmap of this size occupies: four bytes a pixel, whatever the file's size was.
    public var bitmapBytes: ByteCount {
        ByteCount(Int64(width) * Int64(height) * 4)
    }

    /// This size at one over `factor`, rounded up as JPEG decoders do.
    public func divided(by factor: Int) -> PixelSize {
        precondition(factor >= 1, "a picture is not divided by \(factor)")
        return PixelSize(
            width: (width + factor - 1) / factor,
            height: (height + factor - 1) / factor
        )
    }

    /// The largest power of two by which this can be divided and still fill `target` both ways.
    ///
    /// Never below the target: a picture that is shown larger than it was decoded is blurred. A
    /// picture that is smaller than the target is left as it is. Decoders of JPEG skip pixels by
    /// powers of two while they decode, so that the larger bitmap never exists.
    public func downsamplingFactor(for target: PixelSize) -> Int {
        var factor = 1
        while width / (factor * 2) >= target.width, height / (factor * 2) >= target.height {
            factor *= 2
        }
        return factor
    }
}
