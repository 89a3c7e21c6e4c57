import Foundation
import Measurements

/// A piece of a sweep: the answers of every n-th seed, to be joined with the others by `merge`.
///
/// Lines of JSON: a head that says which piece of what it is, then one line a seed. The answers are the
/// workers' own, so that what is joined is the same to the byte as a sweep in one piece.
struct ShardFile: Sendable {
    /// What the first line says.
    struct Head: Codable, Equatable, Sendable {
        var format = ShardFile.format
        /// The profile as it was named on the command line.
        var profile: String
        /// Changes that were put over it, as `--set` has them.
        var overrides: [String]
        /// The executable, the profile's files and the mode.
        var key: String
        /// All seeds of the sweep.
        var seeds: String
        /// Which piece, counted from one.
        var index: Int
        /// How many pieces there are.
        var count: Int
    }

    /// One seed and how its worker answered.
    struct Entry: Codable, Equatable, Sendable {
        var seed: UInt64
        var answer: String?
        var cause: String?
        var lastWords: String?
    }

    static let format = "onebar.shard/1"

    var head: Head
    var entries: [Entry]

    /// What a piece's file is called.
    static func name(_ index: Int, of count: Int) -> String { "shard-\(index)-of-\(count).jsonl" }

    /// Writes the piece at once, or throws what the system says.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(head)
        for entry in entries {
            data.append(10)
            data.append(try encoder.encode(entry))
        }
        data.append(10)
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Reads a piece; every mistake says the file, the line and the remedy.
    static func read(_ path: String) throws(CommandFailure) -> ShardFile {
        guard let data = FileManager.default.contents(atPath: path) else {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            throw CommandFailure(
                isFolder.boolValue
                    ? "\(path): error: this is a folder (name the pieces in it: \(path)/shard-*.jsonl)"
                    : "\(path): error: the file cannot be read (check its path and rights)",
                code: .missingInput
            )
        }
        let lines = data.split(separator: 10)
        let decoder = JSONDecoder()
        guard let first = lines.first, let head = try? decoder.decode(Head.self, from: first),
            head.format == format
        else {
            throw CommandFailure(
                "\(path):1: error: this is no piece of a sweep (write one: onebar run NAME --shard 1/2)",
                code: .badInput
            )
        }
        var entries: [Entry] = []
        for (number, line) in lines.dropFirst().enumerated() {
            guard let entry = try? decoder.decode(Entry.self, from: line) else {
                throw CommandFailure(
                    "\(path):\(number + 2): error: the line is cut off or damaged "
                        + "(run the shard \(head.index)/\(head.count) again)",
                    code: .badInput
                )
            }
            entries.append(entry)
        }
        return ShardFile(head: head, entries: entries)
    }
}

extension ShardFile.Entry {
    init(_ order: SeedOrder, _ answer: WorkerPool.Answer) {
        switch answer {
        case .line(let line):
            self.init(seed: order.seed, answer: line)
        case .died(let cause, let lastWords):
            self.init(seed: order.seed, cause: cause, lastWords: lastWords)
        }
    }

    /// The answer as the worker gave it.
    var workerAnswer: WorkerPool.Answer {
        answer.map { .line($0) } ?? .died(cause: cause ?? "died", lastWords: lastWords ?? "")
    }
}
