/// Faults that a test adds to its conditions; each is tried at every place where it can strike.
public enum LabFault: Sendable, CaseIterable {
    /// The app is killed at each write, sync, removal and rename of the first launch, before and after it.
    case killAtEveryWrite
    /// The answer to each request of the undisturbed run is lost, one at a time.
    case loseEachResponse
}
