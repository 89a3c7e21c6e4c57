/// A report that cannot be written or read: which path, why, and what to do.
package struct ReportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// What is wrong with it, as half a sentence.
    package let problem: String
    /// What to do, as a sentence.
    package let remedy: String
    /// The exit code that documents promise: 73 cannot be written, 66 missing, 65 not readable.
    package let exitCode: Int32

    /// Makes an error.
    package init(path: String, problem: String, remedy: String, exitCode: Int32 = 73) {
        self.path = path
        self.problem = problem
        self.remedy = remedy
        self.exitCode = exitCode
    }

    /// Path, problem and remedy on one line.
    package var description: String { "\(path): \(problem) (\(remedy))" }
}
