import ClientModules
import Testing

@Suite struct RetryPolicyTests {
    // base 1 s, cap 60 s: 1, 2, 4, 8, 16, 32, then 64 cut to 60, for ever.
    @Test func `ceilings double up to the cap`() {
        let policy = RetryPolicy(base: .seconds(1), ceiling: .seconds(60))
        let ceilings = (1...9).map { policy.ceiling(beforeRetry: $0) }
        #expect(ceilings.map(\.components.seconds) == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        #expect(policy.ceiling(beforeRetry: 1_000_000) == .seconds(60))
    }

    // tus-js-client's ladder: at once, 1, 3 and 5 s; after its last step the policy's ceiling.
    @Test func `delays stand in place of doubling, and the ceiling comes after them`() {
        let policy = RetryPolicy(
            base: .seconds(1),
            ceiling: .seconds(7),
            delays: [.zero, .seconds(1), .seconds(3), .seconds(5)]
        )
        let ceilings = (1...6).map { policy.ceiling(beforeRetry: $0) }
        #expect(ceilings.map(\.components.seconds) == [0, 1, 3, 5, 7, 7])
    }

    struct JitterCase: Sendable {
        var jitter: RetryJitter
        var lowest: Duration
        var middle: Duration
        var highest: Duration
    }

    // Retry 3 has the ceiling c = 4 s. Full: 0..c. Equal: c/2 + 0..c/2. None: c. Decorrelated, after a
    // wait of 2 s: base + 0..(3 x 2 s - base) = 1 s..6 s, cut at the cap. Half of a draw is the middle.
    static let cases: [JitterCase] = [
        .init(jitter: .none, lowest: .seconds(4), middle: .seconds(4), highest: .seconds(4)),
        .init(jitter: .full, lowest: .zero, middle: .seconds(2), highest: .seconds(4)),
        .init(jitter: .equal, lowest: .seconds(2), middle: .seconds(3), highest: .seconds(4)),
        .init(
            jitter: .decorrelated,
            lowest: .seconds(1),
            middle: .milliseconds(3_500),
            highest: .seconds(6)
        ),
    ]

    @Test(arguments: cases)
    func `a jitter draws from its whole range and nothing else`(_ example: JitterCase) {
        let policy = RetryPolicy(base: .seconds(1), ceiling: .seconds(60), jitter: example.jitter)
        func wait(_ share: Double) -> Duration {
            policy.wait(
                beforeRetry: 3,
                previous: .seconds(2),
                random: FixedRandom(share: share)
            )
        }
        #expect(wait(0) == example.lowest)
        #expect(wait(0.5) == example.middle)
        #expect(wait(1) == example.highest)
    }

    @Test func `decorrelated jitter begins at the base and stops at the cap`() {
        let policy = RetryPolicy(
            base: .seconds(1),
            ceiling: .seconds(10),
            jitter: .decorrelated
        )
        // Without a wait before: 1 s..3 s.
        #expect(policy.wait(beforeRetry: 1, random: FixedRandom(share: 1)) == .seconds(3))
        let capped = policy.wait(
            beforeRetry: 5,
            previous: .seconds(9),
            random: FixedRandom(share: 1)
        )
        #expect(capped == .seconds(10))
    }

    @Test func `what the server asks is a floor and chance is added to it`() {
        let policy = RetryPolicy(base: .seconds(1), ceiling: .seconds(60), jitter: .full)
        for share in [0, 0.25, 0.5, 1] {
            let wait = policy.wait(
                beforeRetry: 1,
                asked: .seconds(120),
                random: FixedRandom(share: share)
            )
            #expect(wait >= .seconds(120) && wait <= .seconds(121))
        }
        // Two clients that are told the same second do not come in the same one.
        let random = SeededRandom()
        let waits = (0..<2).map { _ in
            policy.wait(beforeRetry: 1, asked: .seconds(120), random: random)
        }
        #expect(waits[0] != waits[1])
        // The own backoff wins where it is longer: retry 7 draws 30 s of 60 s, and 0.5 s are added.
        let longer = policy.wait(
            beforeRetry: 7,
            asked: .seconds(1),
            random: FixedRandom(share: 0.5)
        )
        #expect(longer == .milliseconds(30_500))
        let exact = RetryPolicy(jitter: .none)
        #expect(
            exact.wait(beforeRetry: 1, asked: .seconds(120), random: random) == .seconds(120)
        )
    }

    @Test func `a policy that cannot work traps with the values`() async {
        await #expect(processExitsWith: .failure) { _ = RetryPolicy(base: .zero) }
        await #expect(processExitsWith: .failure) {
            _ = RetryPolicy(base: .seconds(2), ceiling: .seconds(1))
        }
        await #expect(processExitsWith: .failure) { _ = RetryPolicy(maximumAttempts: 0) }
    }
}
