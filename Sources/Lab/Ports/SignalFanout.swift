import SimulationKernel

/// Hands values from the lab to the streams that one launch listens to.
///
/// A value is yielded as the launch, so that what it wakes is owned by it. When the launch dies, the
/// streams are kept and never finished: a finished stream would let the dead speak.
final class SignalFanout<Value: Sendable> {
    private let incarnation: Incarnation
    private let simulation: Simulation
    private var continuations: [AsyncStream<Value>.Continuation] = []

    init(incarnation: Incarnation, simulation: Simulation) {
        self.incarnation = incarnation
        self.simulation = simulation
    }

    /// A new stream that begins with `first`, if there is one.
    func stream(startingWith first: Value?) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(
            bufferingPolicy: .bufferingNewest(16)
        )
        if let first { continuation.yield(first) }
        continuations.append(continuation)
        simulation.morgue.keep(value: continuation)
        return stream
    }

    func send(_ value: Value) {
        guard incarnation.isAlive, !continuations.isEmpty else { return }
        incarnation.enter {
            for continuation in continuations { continuation.yield(value) }
        }
    }
}
