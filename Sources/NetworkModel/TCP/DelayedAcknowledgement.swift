/// When the receiver answers at once and when it waits, as Linux decides it.
final class DelayedAcknowledgement {
    private static let shortest: Int64 = 40_000_000

    /// The current estimate of how long to wait; zero before the first data.
    var wait: Int64 = 0
    /// Acknowledgements that are still to go at once.
    var quick = 0
    /// Replies that were sent soon after data: then data is expected to carry acknowledgements.
    var replies = 0
    /// Whether something waits to be acknowledged.
    var isDue = false
    var isDemanded = false
    /// A short segment came, which is likely the end of what the peer had to say.
    var sawPush = false
    var sawPushTwice = false
    var lastDataAt: Int64 = 0
    var estimatedSegment = 536
    /// Acknowledgements held back while ranges beyond a gap arrive (tcp_comp_sack).
    var compressed = 0
    var duplicates = 0
    var compressedBase: Int64 = -1

    var isInteractive: Bool { replies >= 1 }
    var isQuick: Bool { quick > 0 && !isInteractive }

    /// Data was sent: a reply, if data came a short while ago.
    func noteReply(now: Int64) {
        if wait > 0, now - lastDataAt < wait { replies += 1 }
    }

    /// Data came: keeps the estimate of the time between segments.
    func noteData(
        payload: Int,
        segmentSize: Int,
        window: Int,
        largestQuick: Int,
        timeout: Int64,
        now: Int64
    ) {
        isDue = true
        if payload >= estimatedSegment {
            estimatedSegment = min(payload, segmentSize)
        } else {
            if sawPush { sawPushTwice = true }
            sawPush = true
        }
        let gap = now - lastDataAt
        if wait == 0 {
            raiseQuick(window: window, limit: largestQuick)
            wait = Self.shortest
        } else if gap <= Self.shortest / 2 {
            wait = wait / 2 + Self.shortest / 2
        } else if gap < wait {
            wait = min(wait / 2 + gap, timeout)
        } else if gap > timeout {
            raiseQuick(window: window, limit: largestQuick)
        }
        lastDataAt = now
    }

    /// Answers the next segments at once: at most half a window's worth, at most `limit`.
    func raiseQuick(window: Int, limit: Int) {
        let wanted = min(max(2, window / (2 * estimatedSegment)), limit)
        quick = max(quick, wanted)
    }

    /// Something is wrong: answer at once for a while, and no longer as in a dialogue.
    func enterQuick(window: Int, limit: Int) {
        raiseQuick(window: window, limit: limit)
        replies = 0
        wait = Self.shortest
    }

    /// An acknowledgement went out.
    func noteSent() {
        if quick > 0, isDue {
            quick -= 1
            if quick == 0 { wait = Self.shortest }
        }
        isDue = false
        isDemanded = false
        sawPush = false
        sawPushTwice = false
        compressed = 0
    }
}
