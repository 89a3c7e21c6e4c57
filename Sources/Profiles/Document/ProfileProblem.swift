/// One thing that is wrong with a file: where, what, and what to write instead.
package struct ProfileProblem: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: String, Sendable {
        /// The file cannot be used.
        case error
        /// The file can be used, but probably does not say what was meant.
        case warning
    }

    /// How bad it is.
    package let severity: Severity
    /// Where it stands.
    package let location: SourceLocation
    /// What is wrong, with the offending value.
    package let what: String
    /// What to do about it; empty if the problem says it all.
    package let remedy: String

    /// Describes a problem.
    package init(
        _ severity: Severity = .error,
        at location: SourceLocation,
        _ what: String,
        remedy: String
    ) {
        self.severity = severity
        self.location = location
        self.what = what
        self.remedy = remedy
    }
}

extension ProfileProblem: CustomStringConvertible {
    /// `path:line:column: error: what (remedy)`, which editors and CI turn into a link.
    package var description: String {
        let head = "\(location): \(severity.rawValue): \(what)"
        return remedy.isEmpty ? head : "\(head) (\(remedy))"
    }
}
