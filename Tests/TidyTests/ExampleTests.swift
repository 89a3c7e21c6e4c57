import Foundation
import Testing

/// The README's example is the one that compiles and passes in `Tests/Examples`.
@Suite struct ExampleTests {
    @Test func `README shows the test that runs word for word`() throws {
        let readme = try code(in: "README.md")
        let test = try code(
            in: "Tests/Examples/Tests/ChatTests/WordForWord/OwnModuleTests.swift"
        )
        let start = try #require(test.range(of: "@Test"))
        let example = String(test[start.lowerBound...])
        #expect(example.contains(".killAtEveryWrite"))
        #expect(readme.contains(example), "README's example has drifted from the one that runs")
    }

    /// The file without comments and white space.
    private func code(in name: String) throws -> String {
        try SourceTree.lines(of: SourceTree.root.appendingPathComponent(name))
            .map { line in
                let parts = line.text.split(separator: " //", omittingEmptySubsequences: false)
                return String(parts.first ?? "")
            }
            .joined()
            .filter { !$0.isWhitespace }
    }
}
