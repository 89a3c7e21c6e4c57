import Quantities

/// Reads a `list.scroll` of a workload.
struct ScrollDecoder {
    /// How many rows a fling can pass.
    static let rows = 1...1_000_000
    /// How many pixels something can have.
    static let pixels = 1...1_000_000

    func decode(_ entry: ObjectReader) -> WorkloadAction? {
        let rows =
            entry.requiredValue("rows", example: "200") != nil
            ? entry.integer("rows", in: Self.rows) : nil
        var action = ScrollAction(rows: rows ?? 1)
        action.speed = entry.integer("speed", in: Self.pixels) ?? action.speed
        action.rowHeight = entry.integer("row_height", in: Self.pixels) ?? action.rowHeight
        action.viewport = entry.integer("viewport", in: Self.pixels) ?? action.viewport
        action.direction = entry.choice("direction") ?? action.direction
        if let picture = entry.object("picture") { action.picture = decode(picture: picture) }
        return rows == nil ? nil : .scrollList(action)
    }

    private func decode(picture: ObjectReader) -> ScrollAction.Picture? {
        func side(_ key: String) -> Int? {
            guard picture.requiredValue(key, example: "540") != nil else { return nil }
            return picture.integer(key, in: Self.pixels)
        }
        let width = side("width")
        let height = side("height")
        let distinct = picture.integer("distinct", in: Self.rows)
        let album = album(of: picture)
        picture.finish()
        guard let width, let height else { return nil }
        return ScrollAction.Picture(
            width: width,
            height: height,
            distinct: distinct,
            album: album
        )
    }

    /// A name that can stand in an address.
    private func album(of picture: ObjectReader) -> String? {
        guard let name = picture.string("album") else { return nil }
        guard !name.isEmpty, name.utf8.allSatisfy({ (97...122).contains($0) }) else {
            picture.fail(
                "album",
                "\"\(name)\" is no album",
                remedy: "write small letters, such as \"holiday\""
            )
            return nil
        }
        return name
    }
}
