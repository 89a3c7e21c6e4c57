/// How CUBIC grows the window after slow start, and HyStart's way out of slow start.
///
/// RFC 9438 and RFC 9406's ancestor as Linux computes them: whole segments, C = 0.4 as 410/1024,
/// beta = 717/1024, time in 1/1024 s from ticks of 4 ms, growth of at most one per two segments
/// acknowledged. Times in nanoseconds.
final class CubicWindow {
    private static let beta: Int64 = 717
    private static let scale: Int64 = 1_024
    private static let tick: Int64 = 4_000_000
    private static let ticksPerSecond: Int64 = 250
    /// HyStart leaves slow start no earlier than at this window.
    private static let lowWindow = 16
    private static let samplesPerRound = 8

    private var count = 0
    private var lastMaximum = 0
    private var lastWindow = 0
    private var lastTick: Int64 = 0
    private var originPoint = 0
    private var timeToOrigin: Int64 = 0
    private var lowestDelay: Int64 = 0
    private(set) var epochTick: Int64 = 0
    private var acknowledged = 0
    private var renoWindow = 0

    // HyStart's round.
    private var roundStart: Int64 = 0
    private var roundEnd: Int64 = 0
    private var lastAcknowledgement: Int64 = 0
    private var lowestOfRound: Int64 = .max
    private var samples = 0
    private var foundExit = false

    /// Forgets all; a round of HyStart begins.
    func reset(now: Int64, next: Int64) {
        count = 0
        lastMaximum = 0
        lastWindow = 0
        lastTick = 0
        originPoint = 0
        timeToOrigin = 0
        lowestDelay = 0
        epochTick = 0
        acknowledged = 0
        renoWindow = 0
        foundExit = false
        beginRound(now: now, next: next)
    }

    private func beginRound(now: Int64, next: Int64) {
        roundStart = now
        lastAcknowledgement = now
        roundEnd = next
        lowestOfRound = .max
        samples = 0
    }

    // MARK: Loss

    /// The threshold after a loss at `window`; remembers where that was.
    func threshold(at window: Int) -> Int {
        epochTick = 0
        if window < lastMaximum {
            lastMaximum = Int(Int64(window) * (Self.scale + Self.beta) / (2 * Self.scale))
        } else {
            lastMaximum = window
        }
        return max(Int(Int64(window) * Self.beta / Self.scale), 2)
    }

    /// The sender was idle for `span`: the clock of growth stood still.
    func shift(by span: Int64, now: Int64) {
        guard epochTick > 0, span > 0 else { return }
        epochTick = min(epochTick + span / Self.tick, now / Self.tick)
    }

    // MARK: Growth

    /// Segments to be acknowledged before `window` grows by one.
    func segmentsPerIncrement(at window: Int, acknowledged newly: Int, now: Int64) -> Int {
        let tick = now / Self.tick + 1
        acknowledged += newly
        if lastWindow == window, tick - lastTick <= Self.ticksPerSecond / 32 { return count }
        if epochTick == 0 || tick != lastTick {
            lastWindow = window
            lastTick = tick
            if epochTick == 0 { beginEpoch(window: window, newly: newly, tick: tick) }
            followCubic(window: window, tick: tick)
        }
        followReno(window: window)
        count = max(count, 2)
        return count
    }

    private func beginEpoch(window: Int, newly: Int, tick: Int64) {
        epochTick = tick
        acknowledged = newly
        renoWindow = window
        if lastMaximum <= window {
            timeToOrigin = 0
            originPoint = window
        } else {
            // K = cbrt((Wmax - W) / C), in 1/1024 s: cbrt(2^40 / 410 x segments).
            timeToOrigin = Self.cubeRoot((1 << 40) / 410 * Int64(lastMaximum - window))
            originPoint = lastMaximum
        }
    }

    private func followCubic(window: Int, tick: Int64) {
        let elapsedTicks = tick - epochTick + (lowestDelay + Self.tick - 1) / Self.tick
        let elapsed = elapsedTicks * 1_024 / Self.ticksPerSecond
        let offset = abs(elapsed - timeToOrigin)
        let (cube, overflow) = (offset * offset).multipliedReportingOverflow(by: offset * 410)
        let delta = overflow ? Int.max / 2 : Int(cube >> 40)
        let target = elapsed < timeToOrigin ? originPoint - delta : originPoint + delta
        count = target > window ? window / (target - window) : 100 * window
        if lastMaximum == 0, count > 20 { count = 20 }
    }

    /// The window that Reno would have, with 0.53 segments a round trip for beta = 0.7.
    private func followReno(window: Int) {
        let perIncrement = window * 15 / 8
        while acknowledged > perIncrement {
            acknowledged -= perIncrement
            renoWindow += 1
        }
        if renoWindow > window {
            count = min(count, window / (renoWindow - window))
        }
    }

    private static func cubeRoot(_ value: Int64) -> Int64 {
        var low: Int64 = 0
        var high: Int64 = 1 << 20
        while low < high {
            let middle = (low + high + 1) / 2
            if middle * middle * middle <= value { low = middle } else { high = middle - 1 }
        }
        return low
    }

    // MARK: HyStart

    /// Takes the delay of one acknowledgement in; true if slow start should end at this window.
    func leavesSlowStart(
        delay sample: Int64,
        window: Int,
        isSlowStart: Bool,
        usesHyStart: Bool,
        unacknowledged: Int64,
        next: Int64,
        now: Int64
    ) -> Bool {
        if epochTick > 0, now / Self.tick + 1 - epochTick < Self.ticksPerSecond { return false }
        let delay = max(1, sample)
        if lowestDelay == 0 || lowestDelay > delay { lowestDelay = delay }
        guard usesHyStart, !foundExit, isSlowStart, window >= Self.lowWindow else { return false }
        if unacknowledged > roundEnd { beginRound(now: now, next: next) }
        // The train: acknowledgements closer than 2 ms for half of the lowest delay (and 1 ms for bursts).
        if now - lastAcknowledgement <= 2_000_000 {
            lastAcknowledgement = now
            if now - roundStart > (lowestDelay + 1_000_000) / 2 { foundExit = true }
        }
        // The delay: the round's lowest is above the lowest by an eighth, 4 ms to 16 ms.
        lowestOfRound = min(lowestOfRound, delay)
        if samples < Self.samplesPerRound {
            samples += 1
        } else {
            let margin = min(max(lowestDelay / 8, 4_000_000), 16_000_000)
            if lowestOfRound > lowestDelay + margin { foundExit = true }
        }
        return foundExit
    }
}
