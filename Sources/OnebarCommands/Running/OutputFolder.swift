import Budgets
import Foundation
import Reporting

/// Where a report goes; found to be unwritable before an hour of simulation, not after it.
enum OutputFolder {
    /// Makes the folder and tries to write into it; throws a failure with exit code 73.
    static func prepare(_ path: String) throws(CommandFailure) {
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let probe = url.appendingPathComponent(".onebar-probe")
            try Data().write(to: probe)
            try FileManager.default.removeItem(at: probe)
        } catch {
            throw failure(path, error)
        }
    }

    /// Writes all files of a report at once; throws a failure with exit code 73.
    static func write(_ run: ProfileRun, to path: String) throws(CommandFailure) {
        do {
            try RunReport.write(run, to: path)
        } catch {
            throw failure(path, error)
        }
    }

    /// Writes a piece of a sweep; throws a failure with exit code 73.
    static func write(_ shard: ShardFile, to path: String) throws(CommandFailure) {
        do {
            try shard.write(to: path)
        } catch {
            throw failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> CommandFailure {
        CommandFailure(
            [
                "onebar: error: cannot write to '\(path)': \(reason(path, error))",
                "  choose another folder with --out DIR",
            ],
            code: .cannotWrite
        )
    }

    private static func reason(_ path: String, _ error: any Error) -> String {
        if let report = error as? ReportError { return report.problem }
        // Foundation hides the system's own words on Linux: ask for them.
        let parts = URL(fileURLWithPath: path).pathComponents.count
        var folder = URL(fileURLWithPath: path)
        for _ in 0..<parts {
            if mkdir(folder.path, 0o755) == 0 {
                rmdir(folder.path)
            } else if errno != ENOENT {
                return String(cString: strerror(errno))
            }
            folder.deleteLastPathComponent()
        }
        return error.localizedDescription
    }
}
