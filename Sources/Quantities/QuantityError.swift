/// Text that is not the quantity that was wanted there.
public struct QuantityError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What the user wrote.
    public let text: String
    /// What is wrong with it, as half a sentence: "is not a size".
    public let problem: String
    /// What to write instead, as a sentence.
    public let remedy: String

    /// Describes `text` as wrong.
    public init(text: String, problem: String, remedy: String) {
        self.text = text
        self.problem = problem
        self.remedy = remedy
    }

    /// The text, the problem and the remedy on one line.
    public var description: String { "'\(text)' \(problem) (\(remedy))" }
}
