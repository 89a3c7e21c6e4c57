/// Smoothed round trip and its variation (RFC 9002, 5); all in nanoseconds.
struct QUICRoundTrip {
    private(set) var latest: Int64 = 0
    private(set) var smoothed: Int64
    private(set) var variation: Int64
    /// The lowest sample; zero before the first.
    private(set) var lowest: Int64 = 0
    private(set) var isPrimed = false

    /// Begins with the guess of RFC 9002, 6.2.2.
    init(initial: Int64) {
        smoothed = initial
        variation = initial / 2
    }

    /// Takes a sample in; `delay` is what the peer says it held the answer back, already limited.
    mutating func add(_ sample: Int64, delay: Int64) {
        latest = max(1, sample)
        guard isPrimed else {
            isPrimed = true
            lowest = latest
            smoothed = latest
            variation = latest / 2
            return
        }
        lowest = min(lowest, latest)
        // Without the delay, unless that would fall below the lowest (5.3).
        let adjusted = latest >= lowest + delay ? latest - delay : latest
        variation = (3 * variation + abs(smoothed - adjusted)) / 4
        smoothed = (7 * smoothed + adjusted) / 8
    }

    /// The probe time-out before back-off, without the peer's delay (6.2.1).
    func probeTimeout(granularity: Int64) -> Int64 {
        smoothed + max(4 * variation, granularity)
    }

    /// How long after its sending a packet counts as lost once a later one has arrived (6.1.2).
    func lossDelay(granularity: Int64) -> Int64 {
        max(max(latest, smoothed) * 9 / 8, granularity)
    }
}
