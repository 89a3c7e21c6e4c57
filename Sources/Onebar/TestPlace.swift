import Foundation
import Profiles

/// Where a lab was started: names its files, and the line that replays a failure.
struct TestPlace: Sendable, Equatable {
    /// As `#fileID` has it, such as "ChatTests/OutboxTests.swift".
    let file: String
    /// As `#function` has it.
    let function: String

    /// What plans say of the test that they belong to.
    var name: String { "\(file) \(function)" }

    /// The file's own name: a filter that `swift test` finds tests by, whatever they are called.
    private var fileName: String { file.split(separator: "/").last.map(String.init) ?? file }

    /// Where plans and stories of this test go, below the reports' folder.
    var folder: String {
        let letters = function.prefix { $0 != "(" }.lowercased()
            .map { $0.isLetter || $0.isNumber ? $0 : "-" }
        let words = String(letters).split(separator: "-").joined(separator: "-")
        return "tests/\(words.isEmpty ? "test" : words)"
    }

    /// The line that replays a plan in its test.
    func replayLine(_ plan: String) -> String {
        "ONEBAR_REPLAY=\(ShellText.quoted(plan)) SWIFT_DETERMINISTIC_HASHING=1 "
            + "swift test --filter \(ShellText.word(fileName))"
    }

    /// Folders to write to, in the order in which they are tried.
    ///
    /// Tests that an editor starts may run where nothing can be written.
    static var reportFolders: [String] {
        let wanted = ProcessInfo.processInfo.environment["ONEBAR_REPORTS"] ?? "reports"
        let spare = FileManager.default.temporaryDirectory.appendingPathComponent("onebar-reports")
        return [wanted, spare.path]
    }
}
