import Quantities

/// What jobs of one app have used, and when the next may begin.
package struct JobQuota: Equatable, Sendable {
    private struct Session: Equatable {
        var start: SimulationInstant
        var end: SimulationInstant
        var jobs: Int
    }

    private let policy: StandbyPolicy
    private var sessions: [Session] = []
    private var starts: [SimulationInstant] = []
    private var running = 0

    private static let day = Duration.seconds(86_400)

    /// Nothing was used yet.
    package init(policy: StandbyPolicy) {
        self.policy = policy
    }

    /// A job begins.
    package mutating func began(at instant: SimulationInstant) {
        starts.append(instant)
        if running == 0 {
            if let last = sessions.last, instant < last.end + policy.coalescing {
                sessions[sessions.count - 1].end = instant
            } else {
                sessions.append(Session(start: instant, end: instant, jobs: 0))
            }
        }
        running += 1
        sessions[sessions.count - 1].jobs += 1
    }

    /// A job ends.
    package mutating func ended(at instant: SimulationInstant) {
        precondition(running > 0, "no job runs that could end")
        running -= 1
        sessions[sessions.count - 1].end = instant
        // What no window looks back at any more.
        sessions.removeAll { $0.end + Self.day < instant }
        starts.removeAll { $0 + Self.day < instant }
    }

    /// Running time that is left in this bucket now; never below zero.
    package func remaining(
        in bucket: StandbyPolicy.Bucket,
        at instant: SimulationInstant
    ) -> Duration {
        let left = bucket.time - used(within: bucket.window, at: instant)
        let leftOfDay = policy.dayLimit - used(within: Self.day, at: instant)
        return max(.zero, min(left, leftOfDay))
    }

    /// When a job of this bucket may begin, if none begins before: now, or later.
    package func earliestStart(
        in bucket: StandbyPolicy.Bucket,
        at now: SimulationInstant
    ) -> SimulationInstant {
        var start = now
        // Each limit is only ever met later, so a few rounds settle it.
        while true {
            var next = max(
                start,
                freeTime(limit: bucket.time, window: bucket.window, from: start),
                freeTime(limit: policy.dayLimit, window: Self.day, from: start)
            )
            next = max(next, freePlace(starts, limit: bucket.jobs, bucket.window, from: next))
            next = max(
                next,
                freePlace(
                    sessions.map(\.end),
                    limit: bucket.sessions,
                    bucket.window,
                    from: next
                )
            )
            next = max(next, freePlace(starts, limit: policy.perMinute, .seconds(60), from: next))
            guard next > start else { return start }
            start = next
        }
    }

    private func used(within window: Duration, at instant: SimulationInstant) -> Duration {
        sessions.reduce(.zero) { sum, session in
            let isRunning = running > 0 && session == sessions.last
            let end = isRunning ? instant : session.end
            let from = SimulationInstant(
                nanoseconds: max(
                    session.start.nanoseconds,
                    instant.nanoseconds - window.wholeNanoseconds
                )
            )
            return sum + max(.zero, end - from)
        }
    }

    /// When enough running time has left the window that the buffer is free again.
    private func freeTime(
        limit: Duration,
        window: Duration,
        from now: SimulationInstant
    ) -> SimulationInstant {
        let used = used(within: window, at: now)
        guard used >= limit else { return now }
        var excess = used - (limit - policy.buffer)
        for session in sessions where session.end + window > now {
            let start = max(session.start + window, now)
            let length = session.end + window - start
            if length >= excess { return start + excess }
            excess -= length
        }
        return now
    }

    /// When fewer than `limit` of these instants are within the window.
    private func freePlace(
        _ instants: [SimulationInstant],
        limit: Int,
        _ window: Duration,
        from now: SimulationInstant
    ) -> SimulationInstant {
        let within = instants.filter { $0 + window > now }
        guard within.count >= limit else { return now }
        return within[within.count - limit] + window
    }
}
