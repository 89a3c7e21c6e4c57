import ClientModules

/// Lifecycle and memory pressure, as one launch is told of them.
final class SimulatedSignals: DeviceSignals, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private let phase: SignalFanout<AppPhase>
    private let pressure: SignalFanout<MemoryPressureLevel>
    private var currentPhase: AppPhase

    init(
        phase: SignalFanout<AppPhase>,
        pressure: SignalFanout<MemoryPressureLevel>,
        startingIn currentPhase: AppPhase = .foreground
    ) {
        self.currentPhase = currentPhase
        self.phase = phase
        self.pressure = pressure
    }

    func phases() -> AsyncStream<AppPhase> { phase.stream(startingWith: currentPhase) }

    func memoryPressure() -> AsyncStream<MemoryPressureLevel> {
        pressure.stream(startingWith: nil)
    }

    func phaseChanged(to new: AppPhase) {
        guard new != currentPhase else { return }
        currentPhase = new
        phase.send(new)
    }

    func pressureChanged(to level: MemoryPressureLevel) {
        pressure.send(level)
    }
}
