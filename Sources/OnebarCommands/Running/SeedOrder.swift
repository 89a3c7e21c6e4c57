import Lab
import Measurements

/// What a worker is asked: one seed, and what to do beside running it.
struct SeedOrder: Codable, Sendable, Equatable {
    var seed: UInt64
    /// Whether the timeline is recorded.
    var timeline = false
    /// Whether the numbered list of effects is printed to the answer.
    var effects = false
    /// Whether the changes that would have saved most are searched.
    var advice = false
    /// Where its packets are written; nil for nowhere.
    var capture: String?
    /// Where its trace for Perfetto is written; nil for nowhere.
    var perfetto: String?
    /// The kernel events that are recorded, first and end; nil for none.
    var recordedFrom: UInt64?
    var recordedTo: UInt64?
}

/// What a worker answers.
struct SeedAnswer: Codable, Sendable {
    /// What came of the seed; nil when the lab broke.
    var result: SeedResult?
    /// What could not be written, with its remedy.
    var unwritable: String?
    /// What broke the lab.
    var labFault: String?
    /// The fingerprint.
    var fingerprint = ""
    /// Checkpoints of the fingerprint, to locate a difference.
    var checkpoints: [UInt64] = []
    /// Kernel events of the run.
    var events: UInt64 = 0
    /// The numbered effects, if they were asked for.
    var effects: [String] = []
    /// The recorded events, if they were asked for.
    var recording: RunRecording?
}
