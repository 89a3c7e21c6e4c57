import Quantities
import SimulationKernel

/// Loss and probes, delayed acknowledgements, silence, and keeping alive.
extension QUICEndpoint {
    func isArmed(_ timer: Timer) -> Bool { timers[timer.rawValue].deadline != .max }

    /// Sets a timer; moving one later costs nothing.
    func arm(_ timer: Timer, at deadline: Int64) {
        timers[timer.rawValue].deadline = deadline
        let standing = timers[timer.rawValue]
        guard deadline < standing.scheduled else { return }
        if standing.scheduled != .max { simulation.cancel(standing.event) }
        timers[timer.rawValue].scheduled = deadline
        timers[timer.rawValue].event = simulation.schedule(
            at: SimulationInstant(nanoseconds: deadline),
            for: self,
            payload: UInt64(timer.rawValue)
        )
    }

    /// Stops a timer; its event stays, and does nothing.
    func disarm(_ timer: Timer) {
        timers[timer.rawValue].deadline = .max
    }

    /// Takes back every event of an end that is gone.
    func cancelTimers() {
        for index in timers.indices where timers[index].scheduled != .max {
            simulation.cancel(timers[index].event)
            timers[index] = LazyTimer()
        }
    }

    /// A timer's event: fires, or is set again if the deadline has moved.
    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        guard let timer = Timer(rawValue: Int(payload)), state != .closed else { return }
        timers[timer.rawValue].scheduled = .max
        let deadline = timers[timer.rawValue].deadline
        guard deadline <= instant.nanoseconds else {
            if deadline != .max { arm(timer, at: deadline) }
            return
        }
        timers[timer.rawValue].deadline = .max
        switch timer {
        case .loss:
            lossTimerFired()
        case .acknowledgement:
            guard application.unanswered > 0 else { return }
            application.mustAnswer = true
            sendPending()
        case .idle:
            // Closed without a word (RFC 9000, 10.1): no packet wakes a radio.
            end(.silent)
        case .keepAlive:
            keepAliveFired()
        }
    }

    /// The idle time counts from the last packet heard, or the first sent since; at least three probe time-outs.
    func armIdle() {
        let least =
            3 * (roundTrip.probeTimeout(granularity: times.granularity) + times.longestAckDelay)
        arm(.idle, at: idleSince + max(times.idleTimeout, least))
    }

    func armKeepAlive() {
        guard isClient, let span = times.keepAlive else { return }
        arm(.keepAlive, at: lastHeardAt + span)
    }

    private func keepAliveFired() {
        guard user?.awaitsAnswers == true, state == .open else { return }
        pings[application.name.rawValue] = true
        sendPending()
    }
}
