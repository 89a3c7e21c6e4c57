/// Which arithmetic an analysis follows.
package enum AnalysisMode: String, Sendable, CaseIterable {
    /// Ours: closed forms, every joule once.
    case exact
    /// AT&T ARO 4.1.1, defects included.
    case aro411 = "aro-4.1.1"
    /// Video Optimizer 4.6, defects included.
    case vo46 = "vo-4.6"
    /// EnergyBox, defects included.
    case energybox
}
