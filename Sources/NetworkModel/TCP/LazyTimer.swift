import Quantities
import SimulationKernel

/// A timer that is moved far more often than it fires: moving it later costs nothing.
///
/// One event stands at or before the deadline; when it comes too early, it is set again.
struct LazyTimer {
    var deadline: Int64 = .max
    var scheduled: Int64 = .max
    var event = EventHandle.none
}

extension TCPEndpoint {
    /// Sets a timer to fire after `delay`, as late as a kernel that counts ticks fires it.
    func arm(_ timer: Timer, after delay: Int64) {
        arm(timer, at: tickedDeadline(after: delay))
    }

    /// Sets a timer to an exact instant.
    func arm(_ timer: Timer, at deadline: Int64) {
        let slot = timers + Int(timer.rawValue)
        slot.pointee.deadline = deadline
        guard deadline < slot.pointee.scheduled else { return }
        if slot.pointee.scheduled != .max { simulation.cancel(slot.pointee.event) }
        slot.pointee.scheduled = deadline
        slot.pointee.event = simulation.schedule(
            at: SimulationInstant(nanoseconds: deadline),
            for: self,
            payload: timer.rawValue
        )
    }

    /// Stops a timer; its event stays, and does nothing.
    func disarm(_ timer: Timer) {
        timers[Int(timer.rawValue)].deadline = .max
    }

    /// Takes back every event of an end that is gone.
    func cancelTimers() {
        for index in 0..<Self.timerCount where timers[index].scheduled != .max {
            simulation.cancel(timers[index].event)
            timers[index] = LazyTimer()
        }
    }

    func isArmed(_ timer: Timer) -> Bool {
        timers[Int(timer.rawValue)].deadline != .max
    }

    func deadline(of timer: Timer) -> Int64 {
        timers[Int(timer.rawValue)].deadline
    }

    /// A timer's event: fires, or is set again if the deadline has moved.
    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        guard let timer = Timer(rawValue: payload), state != .closed else { return }
        let slot = timers + Int(payload)
        slot.pointee.scheduled = .max
        let deadline = slot.pointee.deadline
        guard deadline <= instant.nanoseconds else {
            if deadline != .max { arm(timer, at: deadline) }
            return
        }
        slot.pointee.deadline = .max
        switch timer {
        case .retransmission: retransmissionTimerFired()
        case .delayedAcknowledgement: delayedAcknowledgementFired()
        case .compressedAcknowledgement: sendAcknowledgement()
        case .keepAlive: keepAliveFired()
        }
    }

    /// When a timer of `delay` fires by the wheel of Linux's kernel/time/timer.c (since 4.8).
    ///
    /// A timer below 63 ticks fires by one tick late, up to 504 by eight, up to 4,032 by 64: the
    /// wheel rounds up so that none is early.
    private func tickedDeadline(after delay: Int64) -> Int64 {
        let tick = times.tick
        guard tick > 0 else { return now + delay }
        let ticks = (delay + tick - 1) / tick
        let expiry = now / tick + ticks
        let shift: Int64 = ticks < 63 ? 0 : ticks < 504 ? 3 : ticks < 4_032 ? 6 : 9
        return ((expiry >> shift) + 1) << shift * tick
    }
}
