/// Finds a period in a list of times, as the published tools do (research notes A.7).
///
/// Times are compared pairwise in chunks of 200; intervals within 1 s of a cluster's start belong
/// together; a period of more than 10 s exists if three such intervals follow each other.
enum PeriodSearch {
    /// PERIOD_MIN_CYCLE.
    private static let least: Int64 = 10_000_000_000
    /// PERIOD_CYCLE_TOL.
    private static let tolerance: Int64 = 1_000_000_000
    /// PERIOD_MIN_SAMPLES.
    private static let samples = 3
    private static let chunk = 200

    /// A period and the times that follow it.
    struct Found: Equatable {
        /// Nanoseconds.
        var period: Int64
        /// Indices of the longest chain of times that follow each other at the period.
        var chain: [Int]
    }

    /// The period with the longest chain; among equals the shortest.
    ///
    /// Times ascend.
    static func period(_ times: [Int64]) -> Found? {
        var best: Found?
        var start = 0
        while start < times.count {
            let end = min(start + chunk, times.count)
            if let found = search(Array(times[start..<end])) {
                let shifted = Found(period: found.period, chain: found.chain.map { $0 + start })
                if let known = best, known.chain.count >= shifted.chain.count {
                    start = end
                    continue
                }
                best = shifted
            }
            start = end
        }
        return best
    }

    private static func search(_ times: [Int64]) -> Found? {
        guard times.count > samples else { return nil }
        var pairs: [(span: Int64, from: Int, to: Int)] = []
        for from in times.indices {
            for to in (from + 1)..<times.count where times[to] - times[from] > least {
                pairs.append((times[to] - times[from], from, to))
            }
        }
        pairs.sort { ($0.span, $0.from) < ($1.span, $1.from) }
        var best: Found?
        var first = 0
        while first < pairs.count {
            var last = first
            while last + 1 < pairs.count, pairs[last + 1].span - pairs[first].span <= tolerance {
                last += 1
            }
            let cluster = pairs[first...last]
            if cluster.count >= samples {
                let chain = longestChain(cluster, count: times.count)
                if chain.count > samples, chain.count > best?.chain.count ?? 0 {
                    let span = times[chain[chain.count - 1]] - times[chain[0]]
                    best = Found(period: span / Int64(chain.count - 1), chain: chain)
                }
            }
            first = last + 1
        }
        return best
    }

    /// The longest way through pairs that begin where another one ends.
    private static func longestChain(
        _ pairs: ArraySlice<(span: Int64, from: Int, to: Int)>,
        count: Int
    ) -> [Int] {
        var length = Array(repeating: 1, count: count)
        var before = Array(repeating: -1, count: count)
        for pair in pairs.sorted(by: { ($0.to, $0.from) < ($1.to, $1.from) })
        where length[pair.from] + 1 > length[pair.to] {
            length[pair.to] = length[pair.from] + 1
            before[pair.to] = pair.from
        }
        guard let longest = length.max(), var index = length.firstIndex(of: longest) else {
            return []
        }
        var chain = [index]
        while before[index] >= 0 {
            index = before[index]
            chain.append(index)
        }
        return chain.reversed()
    }
}
