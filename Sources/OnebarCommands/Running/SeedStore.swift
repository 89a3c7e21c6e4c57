import Foundation
import Quantities

/// Answers of seeds that were run before, in a folder: one file a seed.
///
/// Two uses: a cache that somebody asked for, and the leavings of a sweep that was interrupted. The
/// folder's name carries everything that a result depends on (`SweepKey`), so an answer of another
/// executable or profile is never taken. A file that does not decode is as good as none.
struct SeedStore: Sendable {
    /// Where the answers lie.
    let folder: URL

    /// A store under `path` for the results of `key`; nothing is written before the first answer.
    init(path: String, key: SweepKey) {
        folder = URL(fileURLWithPath: path).appendingPathComponent(key.text)
    }

    /// The worker's line for this order, if it was kept.
    func answer(to order: SeedOrder) -> String? {
        guard order.isKeepable, let data = FileManager.default.contents(atPath: file(order).path),
            (try? JSONDecoder().decode(SeedAnswer.self, from: data)) != nil
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Keeps a line; a disk that is full costs the cache and not the run.
    func keep(_ line: String, for order: SeedOrder) {
        guard order.isKeepable else { return }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(line.utf8).write(to: file(order), options: .atomic)
    }

    /// Forgets all of it, and the folder above if nothing else lies there.
    func remove() {
        try? FileManager.default.removeItem(at: folder)
        rmdir(folder.deletingLastPathComponent().path)
    }

    private func file(_ order: SeedOrder) -> URL {
        let kind = order.timeline ? "" : "-bare"
        return folder.appendingPathComponent("seed-\(order.seed)\(kind).json")
    }
}

extension SeedOrder {
    /// Whether its answer is all that comes of it.
    var isKeepable: Bool { capture == nil && perfetto == nil && !effects }
}
