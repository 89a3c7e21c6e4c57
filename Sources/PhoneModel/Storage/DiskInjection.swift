/// A failure that the disk answers with for as long as it is in force.
package struct DiskInjection: Equatable, Sendable {
    /// The answer.
    package var error: DiskError
    /// To which requests.
    package var effects: Set<DiskEffect>
    /// On files whose path begins so.
    package var prefix: String

    /// Makes a failure; by default of everything that touches the device.
    package init(
        _ error: DiskError,
        effects: Set<DiskEffect> = Set(DiskEffect.allCases),
        prefix: String = ""
    ) {
        self.error = error
        self.effects = effects
        self.prefix = prefix
    }

    /// The file cannot be opened, read or changed: a locked phone's protected files.
    package static func locked(prefix: String) -> DiskInjection {
        DiskInjection(
            .notPermitted,
            effects: [.open, .create, .read, .write, .truncate, .sync, .remove, .rename],
            prefix: prefix
        )
    }
}
