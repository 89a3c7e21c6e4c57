import Foundation
import Testing

/// The house rules that a machine can check.
@Suite struct HouseRuleTests {
    /// Files past the hard limit need a pardon here, with a reason; one that is no longer needed fails.
    static let longFilePardons: [String: String] = [
        "Tests/ProfilesTests/BadProfileTests.swift": "one table of every mistake and its message"
    ]

    @Test func `no source file is longer than 500 lines`() throws {
        for folder in ["Sources", "Tests"] {
            for file in try SourceTree.swiftFiles(in: folder) {
                let name = SourceTree.name(of: file)
                let count = try SourceTree.lines(of: file).count
                if Self.longFilePardons[name] != nil {
                    #expect(count > 500, "\(name) no longer needs its pardon")
                } else {
                    #expect(count <= 500, "\(name) has \(count) lines; split it by subject")
                }
            }
        }
    }

    @Test func `no file is named for a heap of things`() throws {
        for file in try SourceTree.swiftFiles(in: "Sources") {
            let name = file.lastPathComponent
            for word in ["Utilities", "Utils", "Helpers", "Common", "Misc", "Placeholder"] {
                #expect(!name.contains(word), "\(SourceTree.name(of: file)): name the subject")
            }
        }
    }

    @Test func `simulated rooms know no wall clock and no unkeyed randomness`() throws {
        let banned = [
            "Date()", "Date.now", "UUID()", "SystemRandomNumberGenerator", "Task.sleep",
            "DispatchQueue", "ContinuousClock", ".random(in:", ".shuffled()", ".randomElement()",
        ]
        let rooms = [
            "Quantities", "Trace", "HTTPVocabulary", "PhoneModel", "NetworkModel", "ServerModel",
            "ClientModules", "Measurements", "Budgets",
        ]
        for room in rooms {
            for file in try SourceTree.swiftFiles(in: "Sources/\(room)") {
                for (number, text) in try SourceTree.lines(of: file)
                where !text.trimmingPrefix(while: { $0 == " " }).hasPrefix("//") {
                    for word in banned where text.contains(word) {
                        Issue.record(
                            "\(SourceTree.name(of: file)):\(number): '\(word)' is banned in \(room)"
                        )
                    }
                }
            }
        }
    }

    @Test func `nothing is left for later in the sources`() throws {
        let markers = ["FIX" + "ME", "TO" + "DO", "un" + "written"]
        for folder in ["Sources", "Tests"] {
            for file in try SourceTree.swiftFiles(in: folder) {
                for (number, text) in try SourceTree.lines(of: file) {
                    for marker in markers where text.contains(marker) {
                        Issue.record("\(SourceTree.name(of: file)):\(number): '\(marker)'")
                    }
                }
            }
        }
    }

    @Test func `every package declaration that others see is documented`() throws {
        let starts = ["func ", "struct ", "enum ", "final class ", "class ", "protocol ", "init("]
        for file in try SourceTree.swiftFiles(in: "Sources") {
            let lines = try SourceTree.lines(of: file)
            for (index, line) in lines.enumerated() {
                let text = line.text.trimmingPrefix { $0 == " " }
                guard text.hasPrefix("package "),
                    starts.contains(where: { text.dropFirst(8).hasPrefix($0) })
                else { continue }
                let above = lines[..<index].reversed().map { $0.text.trimmingPrefix { $0 == " " } }
                    .first { !$0.hasPrefix("@") }
                #expect(
                    above?.hasPrefix("///") == true,
                    "\(SourceTree.name(of: file)):\(line.number): say what it is"
                )
            }
        }
    }
}
