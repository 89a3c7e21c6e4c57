import Foundation

extension SeedResult {
    /// The result as one line of JSON without line breaks; the same result gives the same bytes.
    package func encodedLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Reads what `encodedLine()` wrote.
    package init(line: String) throws {
        self = try JSONDecoder().decode(SeedResult.self, from: Data(line.utf8))
    }
}
