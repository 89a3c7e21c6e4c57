import Quantities
import ServerModel

/// Reads the `images` of a server.
struct ImageCatalogueDecoder {
    /// How wide and high a picture may be.
    static let pixels = 1...100_000

    func decode(_ reader: ObjectReader) -> ImageCatalogue {
        var catalogue = ImageCatalogue()
        if let original = reader.object("original").flatMap(file) {
            catalogue.original = original
        }
        catalogue.variants = reader.objects("variants", as: "variant").compactMap(file)
        catalogue.maximumAge = reader.quantity("max_age")
        catalogue.missing = reader.quantity("missing") ?? catalogue.missing
        catalogue.truncated = reader.quantity("truncated") ?? catalogue.truncated
        reader.finish()
        return catalogue
    }

    private func file(_ reader: ObjectReader) -> ImageCatalogue.Variant? {
        let width = side("width", of: reader)
        let height = side("height", of: reader)
        let size: ByteCount? = reader.requiredQuantity("size", example: "50kB")
        let format = reader.string("format") ?? "jpeg"
        reader.finish()
        guard let width, let height, let size else { return nil }
        guard size.bytes >= Int64(SimulatedImage.headerSize) else {
            reader.fail(
                "size",
                "a picture of \(size) has no room for its header",
                remedy: "write at least \(SimulatedImage.headerSize)B"
            )
            return nil
        }
        return ImageCatalogue.Variant(width: width, height: height, size: size, format: format)
    }

    private func side(_ key: String, of reader: ObjectReader) -> Int? {
        guard reader.requiredValue(key, example: "540") != nil else { return nil }
        return reader.integer(key, in: Self.pixels)
    }
}
