import PhoneModel
import Quantities
import Trace

/// Reads the machine of a radio file and remembers which figures it found where.
final class RadioMachineDecoder {
    /// A figure that needs a source.
    struct Figure {
        let path: String
        let location: SourceLocation

        /// Whether a key of `sources` speaks of this figure: its path, the beginning of it, or all.
        func isCovered(by key: String) -> Bool {
            key == "*" || path == key || path.hasPrefix(key + ".")
        }
    }

    /// Machines by the name that files give them.
    enum Kind: String, CaseIterable {
        case chain
        case sharedChannel = "shared-channel"
        case bufferedChannel = "buffered-channel"
        case powerSave = "power-save"
    }

    let reader: ObjectReader
    private(set) var figures: [Figure] = []

    init(reader: ObjectReader) {
        self.reader = reader
    }

    func decode() -> RadioModel.Machine? {
        let kind: Kind? = reader.requiredChoice("machine", example: "chain")
        switch kind {
        case .chain: return chain().map { .chain($0) }
        case .sharedChannel: return sharedChannel().map { .sharedChannel($0) }
        case .bufferedChannel: return bufferedChannel().map { .bufferedChannel($0) }
        case .powerSave: return powerSave().map { .powerSave($0) }
        case nil: return nil
        }
    }

    // MARK: figures

    /// A required nested object.
    func object(_ key: String, of parent: ObjectReader, example: String) -> ObjectReader? {
        parent.requiredValue(key, example: example).map {
            ObjectReader($0, as: "\"\(key)\"", diagnostics: parent.diagnostics)
        }
    }

    /// A required quantity, noted as a figure under `path`.
    func figure<Q: QuantityText>(
        _ key: String,
        of parent: ObjectReader?,
        path: String,
        example: String
    ) -> Q? {
        guard let parent else { return nil }
        note(key, of: parent, path: path)
        return parent.requiredQuantity(key, example: example)
    }

    /// A required duration above zero.
    func timer(
        _ key: String,
        of parent: ObjectReader?,
        path: String,
        example: String = "10s"
    ) -> Duration? {
        let span: Duration? = figure(key, of: parent, path: path, example: example)
        if span == .zero {
            parent?.fail(
                key,
                "a timer of no time",
                remedy: "write a duration above zero, or drop the step"
            )
            return nil
        }
        return span
    }

    func note(_ key: String, of parent: ObjectReader, path: String) {
        guard parent.has(key) else { return }
        figures.append(
            Figure(path: path.isEmpty ? key : "\(path).\(key)", location: parent.location(of: key))
        )
    }
}
