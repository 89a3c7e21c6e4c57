import Budgets

/// What a test of one's own module found: its text is the story.
public struct LabFailure: Error, CustomStringConvertible {
    /// What broke, with seeds, virtual times and how it was provoked.
    public let description: String

    init(_ lines: [String]) {
        description = lines.joined(separator: "\n")
    }
}
