/// What a run is archived under: all that the run itself does not know.
package struct HistoryContext: Equatable, Sendable {
    /// The commit that was tested; empty if unknown.
    package var commit: String
    /// The branch that it is on; empty if unknown.
    package var branch: String
    /// What the caller wants to find it by; may be empty.
    package var label: String
    /// When it was recorded: UTC, ISO 8601, by the caller's clock.
    package var recordedAt: String
    /// The version of the tool.
    package var toolVersion: String

    /// Makes a context.
    package init(
        commit: String,
        branch: String = "",
        label: String = "",
        recordedAt: String,
        toolVersion: String
    ) {
        self.commit = commit
        self.branch = branch
        self.label = label
        self.recordedAt = recordedAt
        self.toolVersion = toolVersion
    }
}
