/// What a test ran, when nothing broke.
public struct LabReport: Sendable, Equatable {
    /// Worlds that were played: each seed undisturbed, and each fault at each place.
    public internal(set) var runs = 0
    /// Faults that were tried one by one.
    public internal(set) var faults = 0
    /// Why nothing ran: `ONEBAR_REPLAY` names the plan of another test; nil otherwise.
    public internal(set) var notRun: String?
    /// What the person was told, against the server's truth, in all of them; a hunt does not count it.
    public internal(set) var history = ActionHistory()
}
