/// Faults that a test adds to its conditions; each is tried at every place where it can strike.
public enum LabFault: Sendable, Hashable {
    /// The app is killed at each write, sync, removal and rename of the good run, before and after it.
    case killAtEveryWrite
    /// The answer to each request of the good run is lost, one at a time.
    case loseEachResponse
    /// The faults of a plan that an earlier failure saved, on its own seed: a regression test.
    ///
    /// The path is taken from the folder in which the tests run, the package's own.
    case plan(String)
}
