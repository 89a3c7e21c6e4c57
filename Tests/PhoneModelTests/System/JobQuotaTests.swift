import PhoneModel
import Quantities
import Testing

/// The quota of jobs on QuotaController's constants.
@Suite struct JobQuotaTests {
    static func bucket(
        _ name: String,
        since: Int64 = 0,
        window: Int64,
        jobs: Int,
        sessions: Int
    ) -> StandbyPolicy.Bucket {
        StandbyPolicy.Bucket(
            name: name,
            since: .seconds(since),
            time: .seconds(600),
            window: .seconds(window),
            jobs: jobs,
            sessions: sessions
        )
    }

    static let policy = StandbyPolicy(
        buckets: [
            bucket("active", window: 600, jobs: 75, sessions: 75),
            bucket("working_set", since: 43_200, window: 7_200, jobs: 120, sessions: 10),
            bucket("frequent", since: 86_400, window: 28_800, jobs: 200, sessions: 8),
            bucket("rare", since: 172_800, window: 86_400, jobs: 48, sessions: 3),
        ],
        buffer: .seconds(30),
        dayLimit: .seconds(14_400),
        perMinute: 20,
        coalescing: .seconds(5)
    )

    private func at(_ seconds: Int64) -> SimulationInstant { .zero + .seconds(seconds) }

    private func quota(after sessions: [(from: Int64, to: Int64)]) -> JobQuota {
        var quota = JobQuota(policy: Self.policy)
        for session in sessions {
            quota.began(at: at(session.from))
            quota.ended(at: at(session.to))
        }
        return quota
    }

    private func start(_ quota: JobQuota, _ bucket: Int, from seconds: Int64) -> Int64 {
        quota.earliestStart(in: Self.policy.buckets[bucket], at: at(seconds)).nanoseconds
            / 1_000_000_000
    }

    @Test(
        arguments: [
            (0, "active"), (43_199, "active"), (43_200, "working_set"), (86_400, "frequent"),
            (172_800, "rare"), (1_000_000, "rare"),
        ] as [(Int64, String)]
    )
    func `an app falls from bucket to bucket as nobody opens it`(unused: Int64, name: String) {
        #expect(Self.policy.bucket(unusedFor: .seconds(unused)).name == name)
    }

    // 10 min are used from 0 to 600 s. The window of 2 h has lost 30 s of it, the buffer, at 7,200 + 30 s.
    @Test func `a used up quota comes back with the buffer`() {
        let quota = quota(after: [(0, 600)])
        #expect(quota.remaining(in: Self.policy.buckets[1], at: at(600)) == .zero)
        #expect(start(quota, 1, from: 600) == 7_230)
        // The active bucket looks back over 10 min only: 600 + 30 s.
        #expect(start(quota, 0, from: 600) == 630)
    }

    // 4 min at 0 s and 4 min at 1,000 s leave 2 min.
    @Test func `what is left is the window's time less what it saw`() {
        let quota = quota(after: [(0, 240), (1_000, 1_240)])
        #expect(quota.remaining(in: Self.policy.buckets[1], at: at(1_300)) == .seconds(120))
        #expect(start(quota, 1, from: 1_300) == 1_300)
        // At 7,300 s the first has lost 100 of its 240 s.
        #expect(quota.remaining(in: Self.policy.buckets[1], at: at(7_300)) == .seconds(220))
    }

    // Three sessions of a second in a day; the first one ended at 1 s, so it leaves at 86,401 s.
    @Test func `a rare app has three sessions a day`() {
        let quota = quota(after: [(0, 1), (1_000, 1_001), (2_000, 2_001)])
        #expect(start(quota, 3, from: 3_000) == 86_401)
        #expect(start(quota, 1, from: 3_000) == 3_000)
    }

    // Jobs of a second each, 4 s apart, are one session: four of them leave two of three.
    @Test func `sessions less than 5 s apart are one`() {
        let quota = quota(after: [(0, 1), (5, 6), (10, 11), (15, 16)])
        #expect(start(quota, 3, from: 100) == 100)
        let apart = self.quota(after: [(0, 1), (6, 7), (12, 13)])
        #expect(start(apart, 3, from: 100) == 86_401)
    }

    // The first of twenty jobs began at 0 s.
    @Test func `twenty jobs begin in a minute, no more`() {
        let quota = quota(after: (0..<20).map { ($0, $0) })
        #expect(start(quota, 0, from: 20) == 60)
    }

    @Test func `a running job counts as far as it has come`() {
        var quota = JobQuota(policy: Self.policy)
        quota.began(at: at(100))
        #expect(quota.remaining(in: Self.policy.buckets[1], at: at(400)) == .seconds(300))
    }
}
