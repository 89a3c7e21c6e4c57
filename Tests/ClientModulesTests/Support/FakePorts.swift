import ClientModules
import Foundation
import Synchronization

/// SplitMix64 (Steele, Lea, Flood 2014): enough for jitter and keys.
final class SeededRandom: ClientRandom {
    private let state: Mutex<UInt64>

    init(seed: UInt64 = 1) {
        state = Mutex(seed)
    }

    func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}

/// A draw that is always the same share of what is asked.
final class FixedRandom: ClientRandom {
    private let value: UInt64

    /// `share` of the whole range, such as 0.5.
    init(share: Double) {
        value = share >= 1 ? .max : UInt64(share * 0x1p64)
    }

    func next() -> UInt64 { value }
}

/// A value that many can watch.
final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var listeners: [AsyncStream<Value>.Continuation] = []
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    var value: Value { state.withLock { $0.value } }

    func set(_ value: Value) {
        let listeners = state.withLock { state in
            state.value = value
            return state.listeners
        }
        for listener in listeners { listener.yield(value) }
    }

    func stream(withCurrent: Bool) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        let current = state.withLock { state in
            state.listeners.append(continuation)
            return state.value
        }
        if withCurrent { continuation.yield(current) }
        return stream
    }
}

/// A path that the test sets.
final class FakePath: PathMonitoring {
    let readings = Broadcast(NetworkPath(isSatisfied: true, interface: "wifi"))

    var current: NetworkPath { readings.value }

    func changes() -> AsyncStream<NetworkPath> { readings.stream(withCurrent: true) }

    func set(isSatisfied: Bool, interface: String = "wifi") {
        readings.set(
            NetworkPath(isSatisfied: isSatisfied, interface: isSatisfied ? interface : "none")
        )
    }
}

/// A lifecycle that the test sets.
final class FakeSignals: DeviceSignals {
    let phase = Broadcast(AppPhase.foreground)
    let pressure = Broadcast(MemoryPressureLevel.normal)

    func phases() -> AsyncStream<AppPhase> { phase.stream(withCurrent: true) }

    func memoryPressure() -> AsyncStream<MemoryPressureLevel> {
        pressure.stream(withCurrent: false)
    }
}

/// A meter that remembers.
final class FakeMeter: MemoryMeter {
    let held = Mutex<[String: Int64]>([:])

    func declare(_ bytes: Int64, holder: String) {
        held.withLock { $0[holder] = bytes }
    }
}
