import Quantities
import SimulationKernel
import Testing

@Suite struct FingerprintTests {
    init() throws {
        try HashingCheck.require()
        try ExecutorCapture.install()
    }

    /// A thousand events; at one place the odd run does something else.
    private static func run(
        isOdd: Bool,
        recording window: Range<UInt64>? = nil
    ) -> (fingerprint: Fingerprint, records: [EventRecord]) {
        let simulation = Simulation(seed: 1)
        if let window { simulation.record(events: window) }
        let receiver = Sink()
        let app = simulation.makeProcess(named: "app").launch()
        app.start {
            for index in 0..<500 {
                let isDifferent = isOdd && index == 333
                try? await app.sleep(until: simulation.now + .milliseconds(isDifferent ? 2 : 1))
            }
        }
        for index in 0..<200 {
            simulation.schedule(at: at(Int64(index)), for: receiver, payload: UInt64(index))
        }
        simulation.run(until: at(10_000))
        return (simulation.fingerprint, simulation.recordedEvents)
    }

    private final class Sink: EventReceiver {
        func receive(_ payload: UInt64, at instant: SimulationInstant) {}
    }

    @Test func `equal runs have equal fingerprints and checkpoints`() {
        let first = Self.run(isOdd: false).fingerprint
        let second = Self.run(isOdd: false).fingerprint
        #expect(first == second)
        #expect(Fingerprint.firstDifference(first, second) == nil)
        #expect(first.checkpoints.count == Int(first.events / 256))
    }

    @Test func `a difference is located to its window, and then to its first event and owner`()
        throws
    {
        let even = Self.run(isOdd: false)
        let odd = Self.run(isOdd: true)
        #expect(even.fingerprint.value != odd.fingerprint.value)
        let window = try #require(
            Fingerprint.firstDifference(even.fingerprint, odd.fingerprint)
        )
        // The 334th sleep is the first that lasts longer. Before its wake-up there are the first job, 333
        // wake-ups with their jobs and 200 events of the sink: event number 1 + 2 * 333 + 200 = 867.
        #expect(window == 768..<1_024)
        let evenRecords = Self.run(isOdd: false, recording: window).records
        let oddRecords = Self.run(isOdd: true, recording: window).records
        #expect(evenRecords.count == 256)
        let (first, second) = try #require(
            EventRecord.firstDifference(evenRecords, oddRecords)
        )
        #expect(first?.number == 867 && second?.number == 867)
        #expect(first?.instant == at(334) && second?.instant == at(335))
        #expect(first?.owner == "app#1" && first?.kind == "wake-up")
    }

    @Test func `recording changes nothing`() {
        let plain = Self.run(isOdd: false).fingerprint
        let recorded = Self.run(isOdd: false, recording: 100..<400)
        #expect(plain == recorded.fingerprint)
        #expect(recorded.records.count == 300)
        #expect(recorded.records.first?.number == 100 && recorded.records.last?.number == 399)
    }

    @Test func `a note of a model is part of it, with its values, owner and time`() {
        func value(_ body: (Simulation) -> Void) -> UInt64 {
            let simulation = Simulation(seed: 1)
            body(simulation)
            return simulation.fingerprint.value
        }
        let values = [
            value { $0.note("disk.write", 1, 2) }, value { $0.note("disk.write", 2, 1) },
            value { $0.note("disk.sync", 1, 2) }, value { $0.note("disk.write", 1, 3) },
            value { _ in },
            value { simulation in
                simulation.run(until: at(1))
                simulation.note("disk.write", 1, 2)
            },
            value { simulation in
                simulation.makeProcess(named: "a").launch()
                    .enter { simulation.note("disk.write", 1, 2) }
            },
        ]
        #expect(Set(values).count == values.count)
    }

    @Test func `it prints sixteen digits`() {
        #expect(Simulation(seed: 1).fingerprint.description.count == 16)
    }
}
