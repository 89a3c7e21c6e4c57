import Quantities
import SimulationKernel
import Trace

/// Whether the phone is awake: held so by its screen, or for a time by what woke it.
///
/// A wake-up is counted when the phone was asleep; work that comes while it is awake rides along.
package final class DeviceSleep {
    /// The phone's clocks, of which one stands still in sleep.
    package private(set) var clocks: DeviceClocks
    /// How often it woke up.
    package private(set) var wakeUps = 0
    /// Called after the phone falls asleep (false) or wakes up (true).
    package var onChange: ((Bool) -> Void)?
    /// Called after the screen goes on (true) or dark.
    package var onScreenChange: ((Bool) -> Void)?

    private let simulation: Simulation
    private let observations: ObservationStream
    private let device: Int
    package private(set) var isScreenOn: Bool
    private var awakeUntil: SimulationInstant = .zero
    /// Who holds it awake until they let go.
    private var holds = 0
    private var check = EventHandle.none
    /// The span that was converted last: each packet asks for the same one.
    private var lastSpan: (span: Duration, nanoseconds: Int64) = (.zero, 0)

    /// Makes a phone that is awake when its screen is on, else asleep.
    package init(
        clocks: DeviceClocks = .init(),
        isScreenOn: Bool = true,
        simulation: Simulation,
        observations: ObservationStream,
        device: Int = 0
    ) {
        self.clocks = clocks
        self.isScreenOn = isScreenOn
        self.simulation = simulation
        self.observations = observations
        self.device = device
        if !isScreenOn { self.clocks.sleep(at: simulation.instant) }
    }

    /// Whether the phone is awake now.
    package var isAwake: Bool { !clocks.isAsleep }

    /// The user turns the screen on or off; on wakes the phone, off lets it sleep.
    package func setScreen(on isOn: Bool) {
        guard isOn != isScreenOn else { return }
        isScreenOn = isOn
        onScreenChange?(isOn)
        if isOn { wakeIfAsleep(.user) } else { sleepIfDue() }
    }

    /// Something needs the phone awake for at least `span` from now.
    ///
    /// What other apps cause is not counted: it is there whether or not the app is.
    package func wake(_ cause: WakeCause, for span: Duration, isCounted: Bool = true) {
        wakeIfAsleep(cause, isCounted: isCounted)
        if lastSpan.span != span { lastSpan = (span, span.wholeNanoseconds) }
        awakeUntil = max(
            awakeUntil,
            simulation.instant.advanced(byNanoseconds: lastSpan.nanoseconds)
        )
        guard !isScreenOn else { return }
        sleepIfDue()
    }

    /// Something needs the phone awake until `release`: a wake lock.
    package func hold(_ cause: WakeCause) {
        wakeIfAsleep(cause)
        holds += 1
    }

    /// One hold is over; traps without one.
    package func release() {
        precondition(holds > 0, "nothing holds the phone awake that could let go")
        holds -= 1
        sleepIfDue()
    }

    /// Someone sets the wall clock forward, or back if negative.
    package func jumpWallClock(by span: Duration) {
        clocks.jump(by: span, at: simulation.instant)
    }

    private func wakeIfAsleep(_ cause: WakeCause, isCounted: Bool = true) {
        guard clocks.isAsleep else { return }
        clocks.wake(at: simulation.instant)
        if isCounted {
            wakeUps += 1
            observations.report(.deviceWoke(cause), at: simulation.instant, device: device)
        }
        onChange?(true)
    }

    /// Falls asleep when nothing holds the phone awake, or looks again when the last hold ends.
    private func sleepIfDue() {
        simulation.cancel(check)
        check = .none
        guard !isScreenOn, holds == 0, !clocks.isAsleep else { return }
        guard awakeUntil <= simulation.instant else {
            check = simulation.scheduleUnowned(at: awakeUntil) { [self] in sleepIfDue() }
            return
        }
        clocks.sleep(at: simulation.instant)
        onChange?(false)
    }
}
