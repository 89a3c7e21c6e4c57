/// A wait between two attempts of one piece of work.
struct RetryWait: Sendable, Equatable {
    /// When it ends, on the monotonic clock.
    var dueAt: Duration
    /// What made it necessary.
    var kind: FailureClass
    /// Whether it began before the phone booted: it may be what the server asked for.
    var isOfEarlierBoot = false

    /// Whether a new path, or a person who looks, is a reason not to wait for its end.
    var mayEndEarly: Bool { kind.isOfThePath && !isOfEarlierBoot }
}
