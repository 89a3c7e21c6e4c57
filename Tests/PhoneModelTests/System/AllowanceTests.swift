import PhoneModel
import Quantities
import Testing

/// Pushes that come through, and transfers that have to wait after a relaunch.
@Suite struct AllowanceTests {
    private func at(_ seconds: Int64) -> SimulationInstant { .zero + .seconds(seconds) }

    private func taken(
        _ allowance: PushPolicy.Allowance,
        at instants: [Int64]
    ) -> [Bool] {
        var bucket = PushAllowance(policy: allowance)
        return instants.map { bucket.take(at: at($0)) }
    }

    // Three at once, one more every 20 min: the fourth within 20 min is lost, one at 20 min is not.
    @Test func `three silent pushes an hour come through`() {
        let allowance = PushPolicy.Allowance(burst: 3, refill: .seconds(1_200))
        #expect(
            taken(allowance, at: [0, 10, 20, 30, 1_199, 1_200, 1_201, 2_400])
                == [true, true, true, false, false, true, false, true]
        )
    }

    // In 24 h, one a minute: 3 at once, then 72 - 1 more, as the last is earned at 24 h.
    @Test func `a day lets the burst and one for each refill through`() {
        let allowance = PushPolicy.Allowance(burst: 3, refill: .seconds(1_200))
        let count = taken(allowance, at: (0..<1_440).map { $0 * 60 }).count { $0 }
        #expect(count == 3 + 71)
    }

    @Test func `without a refill there is no limit`() {
        let allowance = PushPolicy.Allowance(burst: 1, refill: nil)
        #expect(taken(allowance, at: [0, 0, 0]) == [true, true, true])
    }

    // Relaunched at 0, 100 and 300 s, a transfer started each time: waits of 60, 120 and 240 s.
    @Test func `what is started after a relaunch waits twice as long each time`() {
        var limiter = RelaunchLimiter(first: .seconds(60))
        for (relaunch, begins) in [(0, 60), (100, 220), (300, 540)] as [(Int64, Int64)] {
            limiter.relaunched(at: at(relaunch))
            #expect(limiter.begin(at: at(relaunch + 1)) == at(begins))
        }
        limiter.opened()
        #expect(limiter.begin(at: at(301)) == at(301))
        limiter.relaunched(at: at(400))
        #expect(limiter.begin(at: at(401)) == at(460))
    }

    // The wait of 60 s passes unused; the next is 60 s again.
    @Test func `a wait that nobody used is forgotten`() {
        var limiter = RelaunchLimiter(first: .seconds(60))
        limiter.relaunched(at: at(0))
        limiter.relaunched(at: at(100))
        #expect(limiter.begin(at: at(101)) == at(160))
    }

    // 30 s, doubled, at most 5 h: the table of WorkManager (radio.md C.5).
    @Test func `backoff follows WorkManager's table`() {
        let backoff = WindowPolicy.Backoff(base: .seconds(30), ceiling: .seconds(18_000))
        let table: [Int64] = [30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 18_000]
        #expect((1...11).map { backoff.wait(after: $0) } == table.map { .seconds($0) })
    }
}
