import ClientModules
import Foundation
import Testing

/// The model of "Exponential Backoff and Jitter" (AWS): clients contend for one row with optimistic
/// locking.
///
/// Network delay |N(10, 2)| ms a hop, base 5 ms, cap 2,000 ms, 100 clients.
///
/// The bands are means and standard deviations of 100 seeds of an independent implementation of that
/// model in another language (`jitter_sim`). Ours must agree within four standard errors.
@Suite struct JitterContentionTests {
    struct Band: Sendable, CustomStringConvertible {
        var jitter: RetryJitter
        var writes: (mean: Double, deviation: Double)
        var milliseconds: (mean: Double, deviation: Double)
        var description: String { jitter.rawValue }
    }

    static let bands: [Band] = [
        .init(jitter: .none, writes: (1_868, 68), milliseconds: (63_903, 4_498)),
        .init(jitter: .equal, writes: (812, 8), milliseconds: (6_682, 677)),
        .init(jitter: .full, writes: (796, 6), milliseconds: (4_837, 500)),
        .init(jitter: .decorrelated, writes: (1_002, 30), milliseconds: (4_622, 757)),
    ]

    @Test(arguments: bands)
    func `contending clients need as many writes as the published model`(_ band: Band) {
        let seeds = 20
        let runs = (1...seeds).map { Contention(jitter: band.jitter, seed: UInt64($0)).run() }
        let writes = runs.map { Double($0.writes) }.reduce(0, +) / Double(seeds)
        let time = runs.map(\.milliseconds).reduce(0, +) / Double(seeds)
        // Both means are estimates: the error of theirs over 100 seeds adds to ours over 20.
        let errors = (1.0 / 100 + 1 / Double(seeds)).squareRoot()
        #expect(abs(writes - band.writes.mean) < 4 * band.writes.deviation * errors)
        #expect(abs(time - band.milliseconds.mean) < 4 * band.milliseconds.deviation * errors)
    }
}

private final class Contention {
    private enum Step {
        case read
        case readAnswered
        case write(version: Int)
        case writeAnswered(won: Bool)
    }

    private let policy: RetryPolicy
    private let random: SeededRandom
    private var queue: [(at: Double, number: Int, client: Int, step: Step)] = []
    private var count = 0

    init(jitter: RetryJitter, seed: UInt64) {
        // The model doubles before its first wait: base x 2^1. Decorrelated draws from base itself.
        let base: Duration = jitter == .decorrelated ? .milliseconds(5) : .milliseconds(10)
        policy = RetryPolicy(base: base, ceiling: .milliseconds(2_000), jitter: jitter)
        random = SeededRandom(seed: seed &* 7_919)
    }

    func run() -> (writes: Int, milliseconds: Double) {
        var version = 0
        var writes = 0
        var now = 0.0
        var attempts = [Int](repeating: 0, count: 100)
        var waits = [Duration?](repeating: nil, count: 100)
        var seen = [Int](repeating: 0, count: 100)
        for client in 0..<100 { add(hop(), client, .read) }
        while let next = pop() {
            now = next.at
            let client = next.client
            switch next.step {
            case .read:
                seen[client] = version
                add(now + hop(), client, .readAnswered)
            case .readAnswered:
                add(now + hop(), client, .write(version: seen[client]))
            case .write(let expected):
                writes += 1
                let won = expected == version
                if won { version += 1 }
                add(now + hop(), client, .writeAnswered(won: won))
            case .writeAnswered(let won):
                guard !won else { continue }
                attempts[client] += 1
                let wait = policy.wait(
                    beforeRetry: attempts[client],
                    previous: waits[client],
                    random: random
                )
                waits[client] = wait
                add(
                    now + hop() + Double(wait.components.attoseconds) / 1e15
                        + Double(wait.components.seconds) * 1_000,
                    client,
                    .read
                )
            }
        }
        return (writes, now)
    }

    private func add(_ at: Double, _ client: Int, _ step: Step) {
        count += 1
        queue.append((at, count, client, step))
        var index = queue.count - 1
        while index > 0, queue[index].at < queue[(index - 1) / 2].at {
            queue.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func pop() -> (at: Double, number: Int, client: Int, step: Step)? {
        guard let first = queue.first else { return nil }
        let last = queue.removeLast()
        guard !queue.isEmpty else { return first }
        queue[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < queue.count {
                if queue[child].at < queue[least].at { least = child }
            }
            guard least != index else { return first }
            queue.swapAt(index, least)
            index = least
        }
    }

    /// |N(10, 2)| ms by Box and Muller (1958).
    private func hop() -> Double {
        let first = (Double(random.next() >> 11) + 1) * 0x1p-53
        let second = Double(random.next() >> 11) * 0x1p-53
        return abs(10 + 2 * (-2 * log(first)).squareRoot() * cos(2 * .pi * second))
    }
}
