import Quantities
import SimulationKernel
import Trace

/// What the app is to its phone: launched, in front, in the background, suspended, gone.
///
/// It keeps the books and reports; the lab starts and ends the real work.
package final class AppLifecycle {
    /// What the app is to the system now.
    package private(set) var state = AppState.notRunning
    /// The launch that runs; nil when none does.
    package private(set) var process: ProcessLabel?
    /// How often the app was launched.
    package private(set) var launches = 0
    /// Why the last process ended; nil when none has.
    package private(set) var lastExit: ExitCause?
    /// Called after each change of the state.
    package var onChange: ((AppState) -> Void)?

    /// Whether the user swiped the app away and has not opened it since.
    ///
    /// Nothing but the user may start it then (iOS: no background launch, background transfers
    /// are cancelled; `radio.md` C.10).
    package private(set) var isForceQuit = false
    /// Whether being swiped away forbids all launches but its user's.
    package var forceQuitStopsLaunches = true

    private let simulation: Simulation
    private let observations: ObservationStream
    private let device: Int
    private var exits: [ExitCause: Int] = [:]

    /// Makes an app that does not run.
    package init(simulation: Simulation, observations: ObservationStream, device: Int = 0) {
        self.simulation = simulation
        self.observations = observations
        self.device = device
    }

    /// Whether a launch for this cause is allowed now.
    ///
    /// A launch is not allowed while the app runs, nor, after a force-quit, without its user.
    package func mayLaunch(_ cause: LaunchCause) -> Bool {
        guard process == nil else { return false }
        let isAsked = cause == .userOpened || cause == .firstLaunch
        return !isForceQuit || !forceQuitStopsLaunches || isAsked
    }

    /// How often processes ended for this cause.
    package func exits(by cause: ExitCause) -> Int {
        exits[cause] ?? 0
    }

    /// Starts a process; traps when `mayLaunch` says no.
    ///
    /// It comes up in the foreground when its user opened it, else in the background, unless
    /// `state` says otherwise.
    @discardableResult
    package func launch(_ cause: LaunchCause, into state: AppState? = nil) -> ProcessLabel {
        precondition(mayLaunch(cause), "a launch (\(cause.rawValue)) is not allowed: \(self.state)")
        launches += 1
        let label = ProcessLabel(device: device, launch: launches)
        process = label
        isForceQuit = false
        report(.processLaunched(label, cause))
        let opened = cause == .userOpened || cause == .firstLaunch
        enter(state ?? (opened ? .foreground : .background))
        return label
    }

    /// Moves the running app to another state; does nothing if it is there.
    ///
    /// Traps without a process, and from the foreground straight to suspended: an app passes the
    /// background on its way (iOS), where it has time to finish.
    package func enter(_ next: AppState) {
        precondition(process != nil && next != .notRunning, "an app enters \(next) while it runs")
        precondition(
            !(state == .foreground && next == .suspended),
            "an app passes the background before it is suspended"
        )
        guard next != state else { return }
        state = next
        report(.appStateChanged(next))
        onChange?(next)
    }

    /// The process ends; does nothing when none runs, and says so.
    @discardableResult
    package func end(_ cause: ExitCause) -> Bool {
        if cause == .forceQuit { isForceQuit = true }
        guard let label = process else { return false }
        process = nil
        lastExit = cause
        exits[cause, default: 0] += 1
        report(.processEnded(label, cause))
        state = .notRunning
        report(.appStateChanged(.notRunning))
        onChange?(.notRunning)
        return true
    }

    private func report(_ observation: Observation) {
        observations.report(observation, at: simulation.instant, device: device)
    }
}
