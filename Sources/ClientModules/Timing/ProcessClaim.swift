/// Which process last took a piece of work, and until when it has it to itself.
///
/// An app and its extensions may drain one database at the same time: each takes a piece of work in the
/// transaction that marks it as under way, for as long as an attempt may last. The others leave it alone until
/// then. So nothing has to be given back: a process that dies, or is suspended in the middle, loses its claim
/// by time.
///
/// It is no file lock on purpose. A lock is given back at once when its process dies, but an app that is suspended
/// with a locked file in a shared container is killed for it (Apple, "Understanding the exception types in a crash
/// report": 0xdead10cc), and a request under way is when an app is suspended.
///
/// A process that begins takes back what is claimed under its own name: it is the only one of that name.
struct ProcessClaim: Sendable, Equatable {
    /// `ClientEnvironment.process` of who has it.
    var owner: String
    /// Names the boot that `until` counts from.
    var boot: String
    /// When it is over, on the monotonic clock, in nanoseconds.
    var until: Int64

    /// How long a claim outlasts the longest attempt: what commits and a slow device may add (an assumption).
    static let margin: Duration = .seconds(10)

    /// The owner as a database keeps it: the app itself costs no bytes.
    var storedOwner: String? { Self.stored(owner) }

    /// The name of a process as a database keeps it.
    static func stored(_ process: String) -> String? { process.isEmpty ? nil : process }

    /// Claims something now for so long.
    init(_ environment: ClientEnvironment, for span: Duration) {
        owner = environment.process
        boot = environment.clock.bootIdentifier
        until = (environment.clock.now + span).nanosecondsRounded
    }

    /// Restores a stored claim; nil where none was stored.
    init?(owner: String?, boot: String?, until: Int64?) {
        guard let boot, let until else { return nil }
        self.owner = owner ?? ""
        self.boot = boot
        self.until = until
    }

    /// When work that another process has may be taken, on the monotonic clock; zero for one's own, and after a boot.
    func end(for environment: ClientEnvironment) -> Duration {
        let isOver = owner == environment.process || boot != environment.clock.bootIdentifier
        return isOver ? .zero : .nanoseconds(until)
    }

    /// Whether another process has it now.
    func isOfOther(than environment: ClientEnvironment) -> Bool {
        end(for: environment) > environment.clock.now
    }
}
