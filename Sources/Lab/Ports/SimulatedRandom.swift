import ClientModules
import SimulationKernel

/// The random numbers of one launch: a keyed stream that nothing else draws from.
final class SimulatedRandom: ClientRandom, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private var stream: RandomStream

    init(stream: RandomStream) {
        self.stream = stream
    }

    func next() -> UInt64 { stream.next() }
}
