import ClientModules
import Quantities
import SimulationKernel

/// What one launch may ask of the system for its time out of sight.
final class SimulatedBackground: BackgroundWork, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private unowned let system: PhoneSystem
    private let incarnation: Incarnation
    private let fanout: SignalFanout<BackgroundWindow>
    /// Windows that nobody has heard of yet.
    private var waiting: [BackgroundWindow] = []
    private var isHeard = false

    init(system: PhoneSystem, incarnation: Incarnation, fanout: SignalFanout<BackgroundWindow>) {
        self.system = system
        self.incarnation = incarnation
        self.fanout = fanout
    }

    func beginFinishing(_ name: String) -> BackgroundWindow? {
        guard incarnation.canAct else { return nil }
        return system.world.simulation.asWorld { system.beginFinishing(name) }
    }

    func request(_ request: BackgroundRequest) throws {
        guard incarnation.canAct else { return }
        try system.world.simulation.asWorld { try system.submit(request) }
    }

    func cancelRequest(identifier: String) {
        guard incarnation.canAct else { return }
        system.world.simulation.asWorld { system.cancelRequest(identifier) }
    }

    func windows() -> AsyncStream<BackgroundWindow> {
        isHeard = true
        let stream = fanout.stream(startingWith: nil)
        let early = waiting
        waiting = []
        for window in early { fanout.send(window) }
        return stream
    }

    /// Hands a window to the app, once it listens.
    func deliver(_ window: BackgroundWindow) {
        guard isHeard else { return waiting.append(window) }
        fanout.send(window)
    }
}
