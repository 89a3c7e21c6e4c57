import Quantities

/// Marks bursts of the app that come again and again from the same host.
struct PeriodMarking {
    /// CLOSE_SPACED_BURSTS: a burst nearer than this to its neighbours is not looked at.
    private static let spacing: Int64 = 10_000_000_000

    private(set) var bursts: [CaptureReport.BurstCost]
    private(set) var periods: [PeriodicTransfer] = []

    /// Without names of hosts, nothing tells one transfer from another, and nothing is marked.
    init(_ bursts: [CaptureReport.BurstCost], namesHosts: Bool) {
        self.bursts = bursts
        if namesHosts { mark() }
    }

    private mutating func mark() {
        var byHost: [String: [Int]] = [:]
        for index in bursts.indices where isCandidate(index) {
            byHost[bursts[index].host, default: []].append(index)
        }
        for (host, indices) in byHost.sorted(by: { $0.key < $1.key }) {
            let times = indices.map { bursts[$0].burst.start }
            guard let found = PeriodSearch.period(times) else { continue }
            for index in indices { bursts[index].burst.category = .periodical }
            let members = found.chain.map { indices[$0] }
            periods.append(
                PeriodicTransfer(
                    host: host,
                    period: .nanoseconds(found.period),
                    count: members.count,
                    joules: members.reduce(0) { $0 + bursts[$1].burst.energy.inJoules }
                )
            )
        }
        periods.sort { ($1.joules, $0.host) < ($0.joules, $1.host) }
    }

    private func isCandidate(_ index: Int) -> Bool {
        let burst = bursts[index].burst
        guard burst.category == .clientApp else { return false }
        if index > 0, burst.start - bursts[index - 1].burst.end < Self.spacing { return false }
        if index + 1 < bursts.count, bursts[index + 1].burst.start - burst.end < Self.spacing {
            return false
        }
        return true
    }
}
