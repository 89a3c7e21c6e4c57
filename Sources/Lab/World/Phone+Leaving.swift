import ClientModules
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Trace

/// The person leaves the app for another, and comes back to it: warm if it still lives, cold if not.
extension Phone {
    /// How long an app has to tidy up before the other one has grown to its size; an assumption.
    private static let graceOutOfSight: Duration = .seconds(5)

    /// The app goes out of sight for so long, and another needs the memory.
    func leave(_ action: LeaveAction) {
        guard launch != nil, lifecycle.state == .foreground else { return }
        goOutOfSight()
        let absence = absences
        let now = world.simulation.instant
        world.schedule(at: now + min(Self.graceOutOfSight, action.lasts)) { [self] in
            guard isAway, absences == absence else { return }
            makeRoom(for: action.otherApp)
        }
        world.schedule(at: now + action.lasts) { [self] in
            guard isAway, absences == absence else { return }
            comeBack()
        }
    }

    /// The app is not on the screen any more.
    func goOutOfSight() {
        absences += 1
        isAway = true
        screen.hide()
        guard launch != nil, lifecycle.state == .foreground else { return }
        lifecycle.enter(.background)
        tellPhase(.background)
        system?.wentOutOfSight()
    }

    /// The other app has its size: the largest that are out of sight go.
    private func makeRoom(for size: ByteCount) {
        let charged = launch.map { memory.total(of: $0.label) }
        if let charged {
            world.report(
                .measured(name: "app.background_bytes", value: Double(charged.bytes)),
                device: device
            )
        }
        let whole = world.scenario.conditions.device.model.memory
        let outcome = tenants.makeRoom(for: size, in: whole, charged: charged)
        if outcome.killsApp { kill(.systemKill, relaunchAfter: nil) }
    }

    /// The person opens the app again and waits until it can be used.
    ///
    /// The main thread is busy for as long: with the start of a process, or with coming up.
    func comeBack() {
        isAway = false
        resumeProcess()
        let processor = world.scenario.conditions.device.model.processor
        let now = world.simulation.instant
        let isCold = launch == nil
        let wait = isCold ? processor.coldStart : processor.warmStart
        usableFrom = now + wait
        if isCold {
            launch(.userOpened)
        } else {
            lifecycle.enter(.foreground)
            tellPhase(.foreground)
        }
        system?.cameToFront()
        guard let incarnation = launch?.incarnation, incarnation.canAct else { return }
        incarnation.enter(lane: .main) { incarnation.block(for: wait) }
        world.report(.userWaited(wait), device: device)
        world.report(
            .measured(
                name: isCold ? "app.cold_start_ms" : "app.warm_start_ms",
                value: Double(wait.wholeNanoseconds) / 1e6
            ),
            device: device
        )
        // A cold app says itself when it is there.
        if !isCold { appIsReady() }
    }
}
