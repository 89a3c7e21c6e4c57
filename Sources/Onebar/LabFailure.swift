/// What a test of one's own module found: its text is the story.
public struct LabFailure: Error, CustomStringConvertible {
    /// What broke, when and to whom, by which faults, and the line that replays it.
    public let description: String
    /// The name of the guarantee that broke; nil for a broken budget or a mistake in the test.
    public let guarantee: String?
    /// The seed of the run in which it broke; nil without a guarantee.
    public let seed: UInt64?
    /// The file of the fault plan that provokes it; nil without a guarantee.
    public let plan: String?
    /// What the person was told in the run that broke, against the server's truth; nil elsewhere.
    public let history: ActionHistory?

    init(
        _ lines: [String],
        guarantee: String? = nil,
        seed: UInt64? = nil,
        plan: String? = nil,
        history: ActionHistory? = nil
    ) {
        description = lines.joined(separator: "\n")
        self.guarantee = guarantee
        self.seed = seed
        self.plan = plan
        self.history = history
    }
}
