import PhoneModel

/// The operating system's policy for an app out of sight, and what its person has switched on.
package struct SystemConfiguration: Equatable, Sendable {
    /// What the system grants.
    package var policy: SystemPolicy
    /// Low Power Mode, Battery Saver.
    package var savesPower: Bool
    /// Low Data Mode, Data Saver.
    package var savesData: Bool

    /// Makes a configuration.
    package init(policy: SystemPolicy, savesPower: Bool = false, savesData: Bool = false) {
        self.policy = policy
        self.savesPower = savesPower
        self.savesData = savesData
    }
}
