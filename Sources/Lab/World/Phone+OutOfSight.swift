import NetworkModel
import PhoneModel
import Quantities
import SimulationKernel
import Trace

/// What the system does to an app that is out of sight, and to the clocks of a phone that sleeps.
extension Phone {
    /// The phone wakes or sleeps.
    func awakeChanged(to isAwake: Bool) {
        energy.setAwake(isAwake)
        guard system != nil, isAwake else { return }
        // CLOCK_MONOTONIC stands while the phone sleeps.
        let clocks = sleep.clocks
        let now = simulation.instant
        simulation.suspendedTime = clocks.continuous(at: now) - clocks.suspending(at: now)
    }

    /// The app is given no more time.
    func suspendProcess(closesSockets: Bool) {
        guard let launch else { return }
        simulation.suspend(launch.incarnation)
        lifecycle.enter(.suspended)
        suspendedAt = simulation.instant
        if closesSockets { engine?.reclaimSockets() }
    }

    /// The app is given time again.
    func resumeProcess() {
        guard let launch, launch.incarnation.isSuspended else { return }
        world.report(
            .measured(
                name: "background.suspended_s",
                value: Double((simulation.instant - suspendedAt).wholeNanoseconds) / 1e9
            ),
            device: device
        )
        lifecycle.enter(.background)
        simulation.resume(launch.incarnation)
    }

    /// The app has a network, or none although the phone has one.
    func setNetworkBlocked(_ isBlocked: Bool) {
        engine?.isBlocked = isBlocked
        if isBlocked { engine?.reclaimSockets() }
        path?.setBlocked(isBlocked)
    }
}
