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

    /// A file that the app has a transaction open on; nil if there is none.
    var lockedFile: String? {
        guard let launch else { return nil }
        let held = disk.locks(of: launch.client).first { $0.isTransaction }
        return held.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
    }

    /// iOS kills an app that is suspended with a file locked: exception code 0xdead10cc.
    ///
    /// An app that waits for something with a transaction open has brought this on itself, and its
    /// crash is a finding. Source: Apple, "Identifying the cause of common crashes" (0xdead10cc).
    func killForLock(on file: String, relaunchAfter delay: Duration?) {
        world.report(
            .guaranteeBroken(
                name: "client.no_crash",
                message: "the app waited with a transaction on '\(file)' open, was suspended there "
                    + "and killed for the lock (0xdead10cc)"
            ),
            device: device
        )
        kill(.lockHeldInSuspension, relaunchAfter: delay)
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
        second.setNetworkBlocked(isBlocked)
    }
}
