import Quantities
import SimulationKernel
import Testing

/// Writes down what it receives.
private final class Recorder: EventReceiver {
    var received: [UInt64] = []
    var instants: [Int64] = []

    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        received.append(payload)
        instants.append(instant.nanoseconds)
    }
}

private func seconds(_ count: Int64) -> SimulationInstant {
    SimulationInstant(nanoseconds: count * 1_000_000_000)
}

@Suite struct EventOrderTests {
    @Test func `events run by instant, and at one instant in scheduling order`() {
        let simulation = Simulation(seed: 1)
        let recorder = Recorder()
        for (instant, payload) in [(3, 1), (1, 2), (3, 3), (2, 4), (1, 5), (3, 6)] {
            simulation.schedule(
                at: seconds(Int64(instant)),
                for: recorder,
                payload: UInt64(payload)
            )
        }
        #expect(simulation.pendingEvents == 6)
        #expect(simulation.run(until: seconds(10)) == .reachedEnd)
        #expect(recorder.received == [2, 5, 4, 1, 3, 6])
        #expect(simulation.instant == seconds(10))
        #expect(simulation.pendingEvents == 0)
    }

    @Test func `closures and receivers share one order`() {
        let simulation = Simulation(seed: 1)
        let recorder = Recorder()
        simulation.schedule(at: seconds(1)) { recorder.received.append(10) }
        simulation.schedule(at: seconds(1), for: recorder, payload: 11)
        simulation.schedule(at: seconds(1)) { recorder.received.append(12) }
        simulation.run(until: seconds(1))
        #expect(recorder.received == [10, 11, 12])
    }

    @Test func `an event at the end of a run belongs to it`() {
        let simulation = Simulation(seed: 1)
        let recorder = Recorder()
        simulation.schedule(at: seconds(5), for: recorder, payload: 1)
        simulation.run(until: seconds(4))
        #expect(recorder.received.isEmpty)
        simulation.run(until: seconds(5))
        #expect(recorder.received == [1])
    }

    /// The reference is a sorted array: the heap must agree with it on a random mix of pushes, pops and
    /// cancellations that goes through every branch of the sift.
    @Test(arguments: [1, 2, 3]) func `a random workload runs as a sorted list would`(seed: UInt64) {
        let simulation = Simulation(seed: seed)
        let recorder = Recorder()
        var stream = simulation.stream("test")
        var expected: [(at: Int64, order: Int)] = []
        var handles: [(EventHandle, Int)] = []
        for order in 0..<5_000 {
            // Few distinct instants, so that ties are common.
            let instant = Int64(stream.below(500))
            let handle = simulation.schedule(
                at: SimulationInstant(nanoseconds: instant),
                for: recorder,
                payload: UInt64(order)
            )
            handles.append((handle, order))
            expected.append((instant, order))
        }
        for index in stride(from: 0, to: 5_000, by: 7) {
            simulation.cancel(handles[index].0)
            expected.removeAll { $0.order == handles[index].1 }
        }
        expected.sort { ($0.at, $0.order) < ($1.at, $1.order) }
        #expect(simulation.pendingEvents == expected.count)
        simulation.run(until: seconds(1))
        #expect(recorder.received == expected.map { UInt64($0.order) })
        #expect(recorder.instants == expected.map(\.at))
    }

    @Test func `a chain of events that schedule one another keeps its order`() {
        let simulation = Simulation(seed: 1)
        let chain = Chain(simulation)
        for payload in 0..<100 { chain.start(UInt64(payload)) }
        simulation.run(until: seconds(1_000))
        // Each of 100 links runs 50 times, and time never goes back.
        #expect(chain.count == 100 * 50)
        #expect(chain.isSorted)
    }

    @Test func `cancelling what has run, twice, or nothing does nothing`() {
        let simulation = Simulation(seed: 1)
        let recorder = Recorder()
        let first = simulation.schedule(at: seconds(1), for: recorder, payload: 1)
        simulation.run(until: seconds(1))
        simulation.cancel(first)
        // The slot of the first event serves the second: the old handle must not reach it.
        let second = simulation.schedule(at: seconds(2), for: recorder, payload: 2)
        simulation.cancel(first)
        simulation.cancel(.none)
        simulation.run(until: seconds(2))
        #expect(recorder.received == [1, 2])
        simulation.cancel(second)
        #expect(simulation.pendingEvents == 0)
    }

    @Test func `a cancelled closure is released at once`() {
        final class Payload {}
        let simulation = Simulation(seed: 1)
        weak var watched: Payload?
        let handle: EventHandle
        do {
            let payload = Payload()
            watched = payload
            handle = simulation.schedule(at: seconds(1)) { _ = payload }
        }
        #expect(watched != nil)
        simulation.cancel(handle)
        #expect(watched == nil)
    }

    @Test func `a receiver lives as long as its events, also when they hand on to one another`() {
        let simulation = Simulation(seed: 1)
        weak var watched: Chain?
        do {
            let chain = Chain(simulation)
            watched = chain
            chain.start(1)
        }
        simulation.run(until: seconds(30))
        #expect(watched != nil)
        simulation.run(until: seconds(1_000))
        #expect(watched == nil)
    }

    @Test func `a receiver that cancels the event it has just scheduled survives its own handler`()
    {
        final class Undecided: EventReceiver {
            let simulation: Simulation
            var count = 0
            init(_ simulation: Simulation) { self.simulation = simulation }
            func receive(_ payload: UInt64, at instant: SimulationInstant) {
                let handle = simulation.schedule(at: instant, for: self, payload: 2)
                simulation.cancel(handle)
                let other = simulation.schedule(at: instant, for: self, payload: 3)
                simulation.schedule(at: instant, for: self, payload: 4)
                simulation.cancel(other)
                count += 1
                if payload == 4 { simulation.stop() }
            }
        }
        let simulation = Simulation(seed: 1)
        weak var watched: Undecided?
        do {
            let receiver = Undecided(simulation)
            watched = receiver
            simulation.schedule(at: seconds(1), for: receiver, payload: 1)
        }
        #expect(simulation.runUntilQuiescent() == .conditionMet)
        #expect(watched?.count == 2)
    }

    @Test func `a run ends when its condition no longer holds`() {
        let simulation = Simulation(seed: 1)
        var count = 0
        for index in 1...10 { simulation.schedule(at: seconds(Int64(index))) { count += 1 } }
        #expect(simulation.run { count < 4 } == .conditionMet)
        #expect(count == 4 && simulation.instant == seconds(4))
        #expect(simulation.runUntilQuiescent() == .quiescent)
        #expect(count == 10 && simulation.instant == seconds(10))
    }

    @Test func `the past is refused`() async {
        await #expect(processExitsWith: .failure) {
            let simulation = Simulation(seed: 1)
            simulation.run(until: SimulationInstant(nanoseconds: 10))
            simulation.schedule(at: SimulationInstant(nanoseconds: 9)) {}
        }
    }
}

/// Schedules itself again, fifty times.
private final class Chain: EventReceiver {
    private let simulation: Simulation
    private(set) var count = 0
    private(set) var isSorted = true
    private var last: Int64 = 0

    init(_ simulation: Simulation) {
        self.simulation = simulation
    }

    func start(_ payload: UInt64) {
        simulation.schedule(at: simulation.instant, for: self, payload: payload | 50 << 32)
    }

    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        count += 1
        isSorted = isSorted && instant.nanoseconds >= last
        last = instant.nanoseconds
        let left = payload >> 32 - 1
        guard left > 0 else { return }
        let span = Duration.seconds(Int64(payload & 0xFF) * 7 % 11)
        simulation.schedule(
            at: instant + span + .seconds(1),
            for: self,
            payload: payload & 0xFFFF_FFFF | left << 32
        )
    }
}
