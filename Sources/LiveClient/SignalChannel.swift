import Synchronization

/// One value that changes, and any number of streams that follow it.
final class SignalChannel<Value: Sendable & Equatable>: Sendable {
    private struct State {
        var value: Value
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var count = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    var current: Value { state.withLock { $0.value } }

    /// Sets the value; streams hear of it if it is another one.
    func set(_ value: Value) {
        let listeners: [AsyncStream<Value>.Continuation] = state.withLock { state in
            guard state.value != value else { return [] }
            state.value = value
            return state.listeners.sorted { $0.key < $1.key }.map(\.value)
        }
        for listener in listeners { listener.yield(value) }
    }

    /// A stream of changes, led by the current value if that is wanted.
    ///
    /// Only the newest value waits for a slow listener: older ones say nothing of the present.
    func stream(startingWithCurrent: Bool) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        let (number, current) = state.withLock { state in
            state.count += 1
            state.listeners[state.count] = continuation
            return (state.count, state.value)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        if startingWithCurrent { continuation.yield(current) }
        return stream
    }
}
