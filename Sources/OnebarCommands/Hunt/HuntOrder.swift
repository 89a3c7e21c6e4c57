import Lab

/// What a hunt's worker is asked: a census, a stretch of the schedule, or one plan.
struct HuntOrder: Codable, Sendable {
    /// The profile as it is, counted.
    var census = false
    /// The first plan of a stretch.
    var from: Int?
    /// The end of the stretch.
    var to: Int?
    /// The text of one plan.
    var plan: String?
    /// Whether the plan's whole story is told.
    var story = false
}

/// What a hunt's worker answers.
struct HuntAnswer: Codable, Sendable {
    /// What the profile's good run offers.
    var census: RunCensus?
    /// What came of a stretch.
    var batch: TrialBatch?
    /// What came of one plan.
    var outcome: TrialOutcome?
    /// What broke the lab.
    var labFault: String?
}
