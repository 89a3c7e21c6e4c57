/// The congestion window of one path (RFC 9002, 7), in full datagrams; grows as TCP's does.
final class QUICCongestion {
    private(set) var window: Int
    private(set) var threshold = Int.max
    private let settings: QUICSettings
    private let cubic = CubicWindow()
    private var count = 0
    /// Bytes acknowledged that make no whole datagram yet.
    private var rest = 0
    /// Losses of packets sent up to here belong to the episode at hand; -1 for none.
    private var recoveryStart: Int64 = -1

    /// The least window, in datagrams (RFC 9002, 7.2).
    static let least = 2

    init(_ settings: QUICSettings, now: Int64) {
        self.settings = settings
        window = settings.initialWindow
        cubic.reset(now: now, next: 0)
    }

    /// Bytes that may be in flight.
    var bytes: Int { window * settings.datagramSize }
    var isInSlowStart: Bool { window < threshold }

    /// Takes acknowledged bytes in; a window that was not used does not grow (7.8).
    func acknowledged(_ bytes: Int, sentAt: Int64, isLimited: Bool, now: Int64) {
        guard sentAt > recoveryStart, isLimited else { return }
        rest += bytes
        let whole = rest / settings.datagramSize
        guard whole > 0 else { return }
        rest -= whole * settings.datagramSize
        WindowGrowth.grow(
            window: &window,
            count: &count,
            threshold: threshold,
            by: whole,
            control: settings.congestionControl,
            cubic: cubic,
            now: now
        )
    }

    /// Takes a round trip in: slow start may end (RFC 9406's ancestor, as for TCP).
    func noteRoundTrip(_ sample: Int64, acknowledged number: Int64, next: Int64, now: Int64) {
        guard settings.congestionControl == .cubic else { return }
        let leaves = cubic.leavesSlowStart(
            delay: sample,
            window: window,
            isSlowStart: isInSlowStart,
            usesHyStart: settings.usesHyStart,
            unacknowledged: number,
            next: next,
            now: now
        )
        if leaves, isInSlowStart { threshold = window }
    }

    /// Packets were lost, the latest of them sent at `sentAt`: one reduction a round trip (7.3.2).
    ///
    /// Returns whether a recovery has begun.
    func lost(latestSentAt sentAt: Int64, now: Int64) -> Bool {
        guard sentAt > recoveryStart else { return false }
        recoveryStart = now
        count = 0
        switch settings.congestionControl {
        case .cubic: threshold = cubic.threshold(at: window)
        case .newReno: threshold = max(window / 2, Self.least)
        }
        window = threshold
        return true
    }

    /// Sends again after a pause with nothing in flight, in which the clock of CUBIC stood still (RFC 9438, 5.8).
    func resumed(after span: Int64, now: Int64) {
        cubic.shift(by: span, now: now)
    }

    /// Nothing got through for so long that the path must be asked anew (7.6).
    func collapse(now: Int64) {
        window = Self.least
        recoveryStart = -1
        count = 0
        cubic.reset(now: now, next: 0)
    }

    /// The sender was silent for longer than a probe time-out: it begins again with a small window.
    func restart() {
        guard window > settings.initialWindow else { return }
        threshold = max(threshold, window * 3 / 4)
        window = settings.initialWindow
    }
}
