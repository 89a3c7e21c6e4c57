import Quantities

/// What a test asks of its module again and again while the world goes on.
package struct ProbePlan: Sendable {
    /// What is asked.
    package enum Question: Sendable {
        /// Asked from the first interval to the end; the question itself says what it finds.
        case throughout(@Sendable (any LabApp) async -> Void)
        /// Asked once everything has healed, until the answer is yes; it has to be within `span`.
        case eventually(
            name: String,
            within: Duration,
            @Sendable (any LabApp) async throws -> Bool
        )
    }

    /// From one question to the next.
    package var interval: Duration
    /// The question.
    package var question: Question

    /// Makes a plan; traps without an interval, which would never come to an end.
    package init(every interval: Duration, _ question: Question) {
        precondition(interval > .zero, "a question cannot be asked every \(interval)")
        self.interval = interval
        self.question = question
    }
}
