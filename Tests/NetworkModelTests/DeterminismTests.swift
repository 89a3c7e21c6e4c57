import HTTPVocabulary
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

@Suite struct `Network determinism` {
    private func run(seed: UInt64, extraDraws: Bool = false) -> [TraceRecord] {
        let world = TestWorld(
            seed: seed,
            .plain(
                rate: .megabitsPerSecond(2),
                rtt: .milliseconds(60),
                loss: .gilbertElliottByTime(
                    goodMean: .seconds(1),
                    badMean: .milliseconds(100),
                    lossInGood: .perMillion(5_000),
                    lossInBad: .percent(50)
                ),
                jitter: .milliseconds(20),
                nameLookup: .milliseconds(30)
            )
        )
        if extraDraws {
            var other = world.simulation.stream("something", purpose: "else")
            for _ in 0..<100 { _ = other.next() }
        }
        for number in 0..<12 { world.send("POST", "/bytes/\(number * 5_000)", body: 40_000) }
        world.run(60)
        return world.log.records
    }

    @Test func `the same seed gives the same records`() {
        let first = run(seed: 4)
        #expect(first.count > 500)
        #expect(first == run(seed: 4))
        #expect(first != run(seed: 5))
    }

    @Test func `a stream of another purpose moves no packet`() {
        #expect(run(seed: 4) == run(seed: 4, extraDraws: true))
    }
}
