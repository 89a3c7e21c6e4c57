import ClientModules

#if canImport(Darwin)
import Dispatch
#endif

/// Lifecycle and memory pressure, as the app tells them and, on Apple systems, the kernel.
///
/// Call `phaseChanged` from the scene delegate or `onChange(of: scenePhase)`; this file imports no
/// UI framework, so that it serves apps, extensions and tools alike. Memory pressure comes from
/// the kernel on Apple systems; elsewhere call `memoryPressureChanged`, or it stays normal.
public final class LiveSignals: DeviceSignals {
    private let phase = SignalChannel(AppPhase.foreground)
    private let pressure = SignalChannel(MemoryPressureLevel.normal)
    #if canImport(Darwin)
    private let source: any DispatchSourceMemoryPressure
    #endif

    /// Makes signals that begin in the foreground, without pressure.
    public init() {
        #if canImport(Darwin)
        source = DispatchSource.makeMemoryPressureSource(eventMask: .all, queue: .global())
        source.setEventHandler { [pressure, source] in
            let event = source.data
            pressure.set(
                event.contains(.critical)
                    ? .critical : event.contains(.warning) ? .warning : .normal
            )
        }
        source.activate()
        #endif
    }

    /// Tells that the app came to the screen or left it.
    public func phaseChanged(to phase: AppPhase) {
        self.phase.set(phase)
    }

    /// Tells how short of memory the app is.
    public func memoryPressureChanged(to level: MemoryPressureLevel) {
        pressure.set(level)
    }

    /// The phase now, then each change.
    public func phases() -> AsyncStream<AppPhase> {
        phase.stream(startingWithCurrent: true)
    }

    /// Each change of the memory pressure.
    public func memoryPressure() -> AsyncStream<MemoryPressureLevel> {
        pressure.stream(startingWithCurrent: false)
    }
}
