import Foundation
import OnebarCommands
import Profiles
import Testing

/// What the articles and the README show is what the tool and the tests have.
@Suite struct ArticleBlockTests {
    struct Block: Sendable, CustomTestStringConvertible {
        let file: String
        let language: String
        let text: String
        var testDescription: String { "\(file): \(text.prefix(30))" }
    }

    static let blocks: [Block] = {
        let root = ProfileLibrary.sourceTree
        let folder = root + "/Sources/Onebar/Onebar.docc"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files =
            names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
            + ["\(root)/README.md"]
        return files.flatMap(blocks(of:))
    }()

    private static func blocks(of path: String) -> [Block] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        var blocks: [Block] = []
        var open: (language: String, lines: [String])?
        for line in text.components(separatedBy: "\n") {
            guard line.hasPrefix("```") else {
                open?.lines.append(line)
                continue
            }
            if let block = open {
                blocks.append(
                    Block(
                        file: (path as NSString).lastPathComponent,
                        language: block.language,
                        text: block.lines.joined(separator: "\n")
                    )
                )
                open = nil
            } else {
                open = (String(line.dropFirst(3)), [])
            }
        }
        return blocks
    }

    private static func blocks(in language: String) -> [Block] {
        blocks.filter { $0.language == language }
    }

    @Test func `there are blocks of each kind to look at`() {
        for (language, count) in [("jsonc", 3), ("swift", 4), ("sh", 10), ("yaml", 3)] {
            #expect(Self.blocks(in: language).count >= count, "\(language)")
        }
    }

    @Test(arguments: ArticleBlockTests.blocks(in: "jsonc"))
    func `a profile of an article is clean`(block: Block) throws {
        try ToolTests.withFolder { folder in
            try Data(block.text.utf8).write(to: folder.appendingPathComponent("mine.jsonc"))
            let check = try ToolTests.onebar(["check", "--strict", "mine.jsonc"], in: folder)
            #expect(check.status == 0, "\(check.out)")
        }
    }

    /// Each line that calls the tool, cut into words; `A | B` shows two commands, and the first counts.
    static let commands: [[String]] = {
        let shell = blocks.filter { ["sh", ""].contains($0.language) }
        let lines = shell.flatMap { $0.text.components(separatedBy: "\n") }
        return lines.filter { $0.hasPrefix("onebar ") }.map { line in
            let command = line.components(separatedBy: "   ")[0].components(separatedBy: " | ")[0]
            return command.split(separator: " ").dropFirst().map(String.init)
        }
    }()

    @Test(arguments: ArticleBlockTests.commands)
    func `a command of an article is one that the tool takes`(words: [String]) throws {
        let command = try #require(
            FrontDoor.subcommands.first { $0.name == words[0] },
            "onebar \(words[0])"
        )
        _ = try ParsedArguments(
            Array(words.dropFirst()),
            options: command.options,
            command: command.name
        )
    }

    /// A text without the indentation of its lines.
    private static func flat(_ text: String) -> String {
        text.components(separatedBy: "\n").map { String($0.drop { $0 == " " }) }
            .joined(separator: "\n")
    }

    @Test(arguments: ArticleBlockTests.blocks(in: "swift").filter { $0.file != "README.md" })
    func `code of an article is compiled and run by a test`(block: Block) throws {
        let folder = ProfileLibrary.sourceTree + "/Tests/OnebarTests"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let sources = try files.filter { $0.hasSuffix(".swift") }.map {
            Self.flat(try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
        }
        let code = Self.flat(block.text)
        #expect(sources.contains { $0.contains(code) }, "\(block.text)")
    }

    @Test(arguments: [("github", "on: pull_request"), ("gitlab", "merge_request_event")])
    func `a pipeline of an article is the one that init writes`(
        server: String,
        mark: String
    ) throws {
        let block = try #require(Self.blocks(in: "yaml").first { $0.text.contains(mark) })
        try ToolTests.withFolder { folder in
            #expect(try ToolTests.onebar(["init", "--ci", server], in: folder).status == 0)
            let path = server == "github" ? ".github/workflows/onebar.yml" : ".gitlab/onebar.yml"
            let written = try String(
                contentsOf: folder.appendingPathComponent(path),
                encoding: .utf8
            )
            #expect(written.contains(block.text), "\(written)")
        }
    }
}
