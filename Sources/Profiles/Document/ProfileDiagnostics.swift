/// Collects everything that is wrong with a profile and the files it names.
///
/// Readers report to it and go on, so that a user sees all errors of a file at once.
package final class ProfileDiagnostics {
    /// In the order of reporting.
    package private(set) var problems: [ProfileProblem] = []
    private var seen: Set<ProfileProblem> = []

    /// Makes an empty collection.
    package init() {}

    /// Adds a problem; the same problem at the same place is kept once.
    package func report(_ problem: ProfileProblem) {
        guard seen.insert(problem).inserted else { return }
        problems.append(problem)
    }

    /// Adds an error.
    package func error(at location: SourceLocation, _ what: String, remedy: String = "") {
        report(ProfileProblem(.error, at: location, what, remedy: remedy))
    }

    /// Adds a warning.
    package func warn(at location: SourceLocation, _ what: String, remedy: String = "") {
        report(ProfileProblem(.warning, at: location, what, remedy: remedy))
    }

    /// Whether an error was reported.
    package var hasErrors: Bool { problems.contains { $0.severity == .error } }

    /// The errors, from the top of each file to its bottom.
    package var errors: [ProfileProblem] { sorted(.error) }

    /// The warnings, from the top of each file to its bottom.
    package var warnings: [ProfileProblem] { sorted(.warning) }

    /// Throws all errors together if there is one.
    package func throwIfErrors() throws(ProfileError) {
        guard hasErrors else { return }
        throw ProfileError(problems: errors)
    }

    private func sorted(_ severity: ProfileProblem.Severity) -> [ProfileProblem] {
        problems.filter { $0.severity == severity }.sorted { $0.location < $1.location }
    }
}

/// All errors of a profile and of the files it names.
package struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of failure it is, for the exit code.
    package enum Kind: Sendable {
        /// A file says something wrong: exit code 65.
        case invalid
        /// The profile that was asked for is not there: exit code 66.
        case missing
    }

    /// At least one, from the top of each file to its bottom.
    package let problems: [ProfileProblem]
    /// For the exit code.
    package let kind: Kind

    /// Makes an error; traps without a problem.
    package init(problems: [ProfileProblem], kind: Kind = .invalid) {
        precondition(!problems.isEmpty, "an error without a problem")
        self.problems = problems
        self.kind = kind
    }

    /// One line a problem.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
