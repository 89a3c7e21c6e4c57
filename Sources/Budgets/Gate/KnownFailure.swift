/// A failure that is known and excused until a day, with who answers for it and why.
package struct KnownFailure: Sendable, Equatable {
    /// The profile it occurs in.
    package let profile: String
    /// What fails: a guarantee, a budget as "metric: rule", or a regression as "metric: baseline".
    package let failure: String
    /// Why it is excused.
    package let reason: String
    /// Who answers for it.
    package let owner: String
    /// The last day on which it is excused, as YYYY-MM-DD.
    package let until: String
    /// Where the line stands, such as "known-failures.jsonc:3:5".
    package let place: String

    /// Makes a known failure.
    package init(
        profile: String,
        failure: String,
        reason: String,
        owner: String,
        until: String,
        place: String
    ) {
        self.profile = profile
        self.failure = failure
        self.reason = reason
        self.owner = owner
        self.until = until
        self.place = place
    }

    /// Whether it still excuses on `today`, as YYYY-MM-DD: such days order as text does.
    package func excuses(on today: String) -> Bool { today <= until }
}
