/// Smoothed round trip and retransmission timeout, as Linux keeps them (RFC 6298 with two twists).
///
/// The variance term, not the sum, has a floor; and the variance falls at most once a round trip,
/// toward the largest deviation of that round. All in nanoseconds.
final class RoundTripEstimator {
    /// Eight times the smoothed round trip; zero before the first sample.
    private(set) var smoothedTimesEight: Int64 = 0
    /// The lowest round trip seen.
    private(set) var lowest: Int64 = .max
    private var deviationTimesFour: Int64 = 0
    private var largestDeviation: Int64 = 0
    private var variance: Int64
    private var roundEnd: Int64 = 0
    private let floor: Int64
    private let ceiling: Int64
    /// The timeout, without backoff.
    private(set) var timeout: Int64

    init(initialTimeout: Int64, floor: Int64, ceiling: Int64) {
        timeout = initialTimeout
        variance = initialTimeout
        self.floor = floor
        self.ceiling = ceiling
    }

    /// Whether any sample was taken.
    var isPrimed: Bool { smoothedTimesEight > 0 }
    /// The smoothed round trip.
    var smoothed: Int64 { smoothedTimesEight / 8 }

    /// Takes the round trip of the segment that was acknowledged last.
    func noteLowest(_ sample: Int64) {
        lowest = min(lowest, max(1, sample))
    }

    /// Takes a sample in; `unacknowledged` and `next` tell rounds apart.
    func add(_ sample: Int64, unacknowledged: Int64, next: Int64) {
        if isPrimed {
            var error = sample - smoothedTimesEight / 8
            smoothedTimesEight = max(1, smoothedTimesEight + error)
            if error < 0 {
                error = -error - deviationTimesFour / 4
                if error > 0 { error /= 8 }
            } else {
                error -= deviationTimesFour / 4
            }
            deviationTimesFour += error
            largestDeviation = max(largestDeviation, deviationTimesFour)
            variance = max(variance, largestDeviation)
            if unacknowledged > roundEnd {
                if largestDeviation < variance { variance -= (variance - largestDeviation) / 4 }
                roundEnd = next
                largestDeviation = floor
            }
        } else {
            smoothedTimesEight = max(1, sample * 8)
            deviationTimesFour = sample * 2
            variance = max(deviationTimesFour, floor)
            largestDeviation = variance
            roundEnd = next
        }
        timeout = min(smoothed + variance, ceiling)
    }

    /// No sample could be had from the handshake: begin with this timeout (RFC 6298, 5.7).
    func fallBack(to timeout: Int64) {
        variance = timeout
        deviationTimesFour = timeout
        largestDeviation = timeout
        self.timeout = timeout
    }
}
