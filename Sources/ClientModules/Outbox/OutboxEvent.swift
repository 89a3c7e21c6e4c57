/// What an outbox tells its observer, after it is durable.
///
/// Events are for screens and logs: a process that dies between a commit and its event never tells
/// it. What must follow an outcome belongs into `OutboxConfiguration.settle`, in its transaction.
public enum OutboxEvent: Sendable, Equatable {
    /// The promise: it will be sent or reported.
    case enqueued(identity: String)
    /// A request is about to leave. Attempts are counted from one, over all launches.
    case sending(identity: String, attempt: Int)
    /// The server has it, said now or replayed.
    case acknowledged(identity: String, status: Int)
    /// A later intent took its place before it was sent.
    case superseded(identity: String, by: String)
    /// It will not be sent again by itself; one that may have taken effect is not to be called failed.
    case deadLettered(
        identity: String,
        OutboxDeadLetter.Reason,
        mayHaveTakenEffect: Bool = false
    )
    /// Its attempt failed and another one follows.
    case willRetry(identity: String, after: Duration, FailureClass)
    /// Nothing can be sent now.
    case waiting(WaitReason)
    /// The database failed; the outbox tries again by itself.
    case storageFailed(description: String)
}
