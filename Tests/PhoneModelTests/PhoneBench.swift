import PhoneModel
import Quantities
import SimulationKernel
import Trace

/// A world without anything in it but a stream that is kept.
final class PhoneBench: ObservationSink {
    let simulation = Simulation(seed: 1)
    let observations = ObservationStream()
    private(set) var records: [TraceRecord] = []

    init() {
        observations.add(self)
    }

    func observe(_ record: TraceRecord) {
        records.append(record)
    }

    func finish(at end: SimulationInstant) {}

    func run(until span: Duration) {
        simulation.run(until: .zero + span)
    }

    var memory: [MemoryUse] {
        records.compactMap { if case .memoryChanged(let use) = $0.observation { use } else { nil } }
    }

    var observed: [Observation] { records.map(\.observation) }
}
