/// A piece of work that may be started: an upload, or the first live intent of an entity.
struct WorkItem: Sendable, Equatable {
    /// Its place in the order of promises.
    var sequence: Int64
    /// When its next attempt may start, on the monotonic clock.
    var dueAt: Duration
    /// When it is given up, on the monotonic clock.
    var expiresAt: Duration
    /// Whether an attempt is under way.
    var isInFlight: Bool
}

/// What a queue of work does next: a value, decided from values.
struct WorkPlan: Sendable, Equatable {
    /// Work to start now, in the order it was promised.
    private(set) var start: [Int64] = []
    /// Work to give up now as too old.
    private(set) var expired: [Int64] = []
    /// When to plan again, if nothing else happens before; nil for never.
    private(set) var wakeAt: Duration?
    /// Why nothing is sent although there is something to send; nil if that is not so.
    private(set) var waiting: WaitReason?

    /// Decides.
    ///
    /// - Parameters:
    ///   - items: what may be started, in the order it was promised.
    ///   - now: the monotonic clock.
    ///   - slots: most at a time, those in flight included.
    ///   - isReachable: whether there is a route.
    ///   - pausedUntil: before this nothing is sent, whatever is due.
    init(
        items: [WorkItem],
        now: Duration,
        slots: Int,
        isReachable: Bool,
        pausedUntil: Duration
    ) {
        let inFlight = items.count { $0.isInFlight }
        var free = max(0, slots - inFlight)
        var nextDue: Duration?
        for item in items where !item.isInFlight {
            guard item.expiresAt > now else {
                expired.append(item.sequence)
                continue
            }
            wakeAt = min(wakeAt ?? item.expiresAt, item.expiresAt)
            guard isReachable else { continue }
            let due = max(item.dueAt, pausedUntil)
            if due > now {
                wakeAt = min(wakeAt ?? due, due)
                nextDue = min(nextDue ?? due, due)
            } else if free > 0 {
                free -= 1
                start.append(item.sequence)
            }
        }
        guard start.isEmpty, inFlight == 0, items.count > expired.count else { return }
        if !isReachable {
            waiting = .path
        } else if pausedUntil > now {
            waiting = .server(pausedUntil - now)
        } else if let nextDue {
            waiting = .backoff(nextDue - now)
        }
    }
}
