import Budgets
import Foundation
import Measurements

/// `result.json`: the whole run, so that it can be reported and compared again without simulating.
package enum StoredRun {
    /// The name of the file in a report's folder.
    package static let fileName = "result.json"

    /// The run as text; host times are left out, so that the same run gives the same bytes.
    package static func text(of run: ProfileRun) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(run.withoutHostTimes), as: UTF8.self) + "\n"
    }

    /// Reads the run of a report's folder, or of the file itself.
    package static func read(_ path: String) throws(ReportError) -> ProfileRun {
        var url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ReportError(
                path: path,
                problem: "is not there",
                remedy: "onebar run NAME writes reports/NAME",
                exitCode: 66
            )
        }
        if isFolder.boolValue { url.appendPathComponent(fileName) }
        guard let data = try? Data(contentsOf: url) else {
            throw ReportError(
                path: url.path,
                problem: "cannot be read",
                remedy: "name a folder that onebar run has written",
                exitCode: 66
            )
        }
        do {
            return try JSONDecoder().decode(ProfileRun.self, from: data)
        } catch {
            throw ReportError(
                path: url.path,
                problem: "is not a stored run of this version",
                remedy: "run the profile again",
                exitCode: 65
            )
        }
    }
}
