/// Why a capture cannot be read or written.
package struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// What is wrong with it, as half a sentence.
    package let problem: String
    /// What to do about it.
    package let remedy: String
    /// What kind of failure it is, for the exit code.
    package let kind: Kind

    /// What kind of failure it is.
    package enum Kind: Sendable {
        /// The file is not there: exit code 66.
        case missing
        /// The file is no capture: exit code 65.
        case invalid
        /// The file cannot be written: exit code 73.
        case unwritable
    }

    /// Makes an error.
    package init(path: String, _ problem: String, remedy: String, kind: Kind = .invalid) {
        self.path = path
        self.problem = problem
        self.remedy = remedy
        self.kind = kind
    }

    /// Path, problem and remedy on one line.
    package var description: String { "\(path): error: \(problem) (\(remedy))" }
}
