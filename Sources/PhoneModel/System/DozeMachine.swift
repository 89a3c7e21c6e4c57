import Quantities
import SimulationKernel
import Trace

/// Doze: two clocks that run while the screen is dark and the phone is not plugged in.
///
/// The light one holds work up in short stretches with windows between; the deep one takes over once the
/// phone has lain still for long enough. A window ends when nothing is left to do, not before its
/// shortest time, and at the latest when its budget is used up (DeviceIdleController, `radio.md` C.2).
package final class DozeMachine {
    /// What the phone lets through now.
    package private(set) var state = DozeState.awake
    /// Called after each change.
    package var onChange: ((DozeState) -> Void)?
    /// Asked whether work goes on that a window would wait for.
    package var hasWork: () -> Bool = { false }

    private let policy: DozePolicy
    private let simulation: Simulation
    private var isScreenOn = true
    private var isCharging = false
    private var isMoving = false
    private var light = Light()
    private var deep = Deep()

    private struct Light {
        var event = EventHandle.none
        var isIdle = false
        var isInWindow = false
        var isWaiting = false
        var nextIdle = Duration.zero
        var budget = Duration.zero
        var windowBegan = SimulationInstant.zero
    }

    private struct Deep {
        var event = EventHandle.none
        var isIdle = false
        var isInWindow = false
        /// Whether motion would be noticed: from the end of the first wait on.
        var watches = false
        var isRunning = false
        var nextIdle = Duration.zero
        var nextWindow = Duration.zero
        var windowBegan = SimulationInstant.zero
    }

    /// Makes the doze of a phone whose screen is on.
    package init(policy: DozePolicy, simulation: Simulation) {
        self.policy = policy
        self.simulation = simulation
    }

    /// Whether work is held up now.
    package var holdsUp: Bool { state == .light || state == .deep }

    // MARK: What happens to the phone

    /// The screen goes on or dark.
    package func setScreen(on isOn: Bool) {
        isScreenOn = isOn
        settle()
    }

    /// The phone is plugged in or not.
    package func setCharging(_ isPluggedIn: Bool) {
        isCharging = isPluggedIn
        settle()
    }

    /// The phone begins or ends to be carried about.
    package func setMoving(_ moves: Bool) {
        guard moves != isMoving else { return }
        isMoving = moves
        guard state != .awake else { return }
        if moves {
            guard deep.watches else { return }
            // What lay still is awake: a hold of the deep one is over, and with it all holds.
            let held = deep.isIdle || deep.isInWindow
            stopDeep()
            if held { startLight() }
            update()
        } else if !deep.isRunning {
            startDeep(after: policy.deep.afterMotion)
        }
    }

    /// Work that `hasWork` told of has ended: a window may close.
    package func workEnded() {
        guard !hasWork() else { return }
        if light.isWaiting { return beginLightIdle() }
        if light.isInWindow {
            closeEarly(light.windowBegan, policy.light.shortest) { [self] in endLightWindow() }
        }
        if deep.isInWindow {
            closeEarly(deep.windowBegan, policy.deep.shortest) { [self] in endDeepWindow() }
        }
    }

    private func settle() {
        let rests = !isScreenOn && !isCharging
        if rests, state == .awake {
            startLight()
            startDeep(after: policy.deep.after)
            set(.inactive)
        } else if !rests, state != .awake {
            stopLight()
            stopDeep()
            set(.awake)
        }
    }

    private func update() {
        if deep.isIdle { return set(.deep) }
        if deep.isInWindow { return set(.deepWindow) }
        if light.isIdle { return set(.light) }
        set(light.isInWindow ? .lightWindow : .inactive)
    }

    private func set(_ next: DozeState) {
        guard next != state else { return }
        state = next
        onChange?(next)
    }

    private func after(_ span: Duration, _ action: @escaping () -> Void) -> EventHandle {
        simulation.scheduleUnowned(at: simulation.instant + span, action)
    }

    private func closeEarly(
        _ began: SimulationInstant,
        _ shortest: Duration,
        _ close: @escaping () -> Void
    ) {
        guard simulation.instant < began + shortest else { return close() }
        _ = after(began + shortest - simulation.instant) { [self] in
            guard !hasWork() else { return }
            if light.windowBegan == began && light.isInWindow
                || deep.windowBegan == began && deep.isInWindow
            {
                close()
            }
        }
    }

    // MARK: Light

    private func startLight() {
        stopLight()
        light.nextIdle = policy.light.idle.first
        light.budget = policy.light.budget.lower
        light.event = after(policy.light.after) { [self] in
            guard hasWork() else { return beginLightIdle() }
            light.isWaiting = true
            light.event = after(policy.light.preIdle) { [self] in beginLightIdle() }
        }
    }

    private func stopLight() {
        simulation.cancel(light.event)
        light = Light()
    }

    private func beginLightIdle() {
        simulation.cancel(light.event)
        light.isWaiting = false
        light.isInWindow = false
        light.isIdle = true
        let wait = light.nextIdle
        light.nextIdle = policy.light.idle.next(after: wait)
        light.event = after(wait) { [self] in openLightWindow() }
        update()
    }

    private func openLightWindow() {
        let budget = policy.light.budget
        light.budget = min(max(light.budget, budget.lower), budget.upper)
        light.isIdle = false
        light.isInWindow = true
        light.windowBegan = simulation.instant
        light.event = after(light.budget) { [self] in endLightWindow() }
        update()
        workEnded()
    }

    private func endLightWindow() {
        let lower = policy.light.budget.lower
        let spent = simulation.instant - light.windowBegan
        // What was not used of the usual budget is saved; what was used beyond it is paid back.
        light.budget += lower - spent
        beginLightIdle()
    }

    // MARK: Deep

    private func startDeep(after wait: Duration) {
        stopDeep()
        deep.isRunning = true
        let steps = policy.deep
        deep.nextIdle = steps.idle.first
        deep.nextWindow = steps.window.first
        deep.event = after(wait) { [self] in
            deep.watches = true
            guard !isMoving else { return stopDeep() }
            deep.event = after(steps.pending + steps.sensing + steps.locating) { [self] in
                stopLight()
                beginDeepIdle()
            }
        }
    }

    private func stopDeep() {
        simulation.cancel(deep.event)
        deep = Deep()
    }

    private func beginDeepIdle() {
        simulation.cancel(deep.event)
        deep.isInWindow = false
        deep.isIdle = true
        let wait = deep.nextIdle
        deep.nextIdle = policy.deep.idle.next(after: wait)
        deep.event = after(wait) { [self] in openDeepWindow() }
        update()
    }

    private func openDeepWindow() {
        deep.isIdle = false
        deep.isInWindow = true
        deep.windowBegan = simulation.instant
        let length = deep.nextWindow
        deep.nextWindow = policy.deep.window.next(after: length)
        deep.event = after(length) { [self] in endDeepWindow() }
        update()
        workEnded()
    }

    private func endDeepWindow() { beginDeepIdle() }
}
