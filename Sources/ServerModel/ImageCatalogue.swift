import Quantities

/// What the image service has: one original a name, and smaller or leaner files of it.
///
/// Every name under `/images/` is a picture, except for a share that is not there. A request names
/// the width that it needs (`?w=540`) and gets the leanest variant that is as wide and in a format
/// that its `Accept` names; without a width, or past the widest, it gets the original.
package struct ImageCatalogue: Equatable, Sendable {
    /// The original of every name.
    package var original: Variant
    /// Other files of every name, in any order.
    package var variants: [Variant]
    /// What `Cache-Control: max-age` says; nil sends no such field.
    package var maximumAge: Duration?
    /// The share of names that are answered 404.
    package var missing: Probability
    /// The share of answers that end early although their status says 200, and nobody is told.
    package var truncated: Probability

    /// One file of a picture.
    package struct Variant: Equatable, Sendable {
        /// Pixels from left to right.
        package var width: Int
        /// Pixels from top to bottom.
        package var height: Int
        /// Bytes of the file.
        package var size: ByteCount
        /// The format, such as "jpeg" or "webp"; any client takes "jpeg" and "png".
        package var format: String

        /// Makes a file.
        package init(width: Int, height: Int, size: ByteCount, format: String = "jpeg") {
            self.width = width
            self.height = height
            self.size = size
            self.format = format
        }
    }

    /// Makes a catalogue.
    ///
    /// Originals of 12 megapixels and 2 MB, as phones take them, are an assumption.
    package init(
        original: Variant = .init(width: 4_000, height: 3_000, size: .megabytes(2)),
        variants: [Variant] = [],
        maximumAge: Duration? = nil,
        missing: Probability = .never,
        truncated: Probability = .never
    ) {
        self.original = original
        self.variants = variants
        self.maximumAge = maximumAge
        self.missing = missing
        self.truncated = truncated
    }

    /// The file for a place of `width` pixels and a client that accepts `accept`, with its number.
    ///
    /// The original is number zero, variants are counted from one.
    func file(width: Int?, accept: String?) -> (number: Int, variant: Variant) {
        guard let width else { return (0, original) }
        let fitting = variants.enumerated().filter { _, variant in
            variant.width >= width && Self.takes(variant.format, accept)
        }
        let leanest = fitting.min { one, other in
            (one.element.size, one.offset) < (other.element.size, other.offset)
        }
        guard let leanest else { return (0, original) }
        return (leanest.offset + 1, leanest.element)
    }

    private static func takes(_ format: String, _ accept: String?) -> Bool {
        format == "jpeg" || format == "png" || accept?.contains("image/\(format)") == true
    }
}
