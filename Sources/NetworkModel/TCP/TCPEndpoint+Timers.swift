import Trace

/// Retransmission timeouts, tail loss probes, window probes and keep-alives.
extension TCPEndpoint {
    /// The timeout, doubled for each that passed without a new sample.
    var backedOffTimeout: Int64 {
        let ceiling = times.timeoutCeiling
        return min(roundTrip.timeout << Int64(min(backoff, 16)), ceiling)
    }

    func armRetransmission(after delay: Int64) {
        pending = .retransmission
        arm(.retransmission, after: delay)
    }

    /// How far off the timeout of the oldest segment is, counted from its last sending.
    private var timeUntilTimeout: Int64 {
        guard board.count > 0 else { return backedOffTimeout }
        return board[board.first].pointee.sentAt + backedOffTimeout - now
    }

    /// Sets the timeout for the oldest segment, or none if nothing is on its way.
    func rearmRetransmission() {
        guard board.count > 0 else {
            if pending != .windowProbe {
                pending = .nothing
                disarm(.retransmission)
            }
            return
        }
        let offset = pending == .reordering || pending == .lossProbe
        armRetransmission(after: offset ? max(1, timeUntilTimeout) : backedOffTimeout)
    }

    /// Sets whichever comes first: a tail loss probe or the timeout.
    func setTransmissionTimer() {
        if !scheduleLossProbe(fromNow: true) { rearmRetransmission() }
    }

    /// Sets a probe two round trips ahead (RFC 8985, 7.2); false where none is due.
    @discardableResult
    func scheduleLossProbe(fromNow: Bool) -> Bool {
        guard board.count > 0, state == .established, congestion == .open || congestion == .reduced
        else { return false }
        var wait: Int64
        if roundTrip.isPrimed {
            wait = 2 * roundTrip.smoothed
            wait += board.count == 1 ? times.timeoutFloor : 2_000_000
        } else {
            wait = times.synTimeout
        }
        let timeout = fromNow ? backedOffTimeout : timeUntilTimeout
        if timeout > 0 { wait = min(wait, timeout) }
        pending = .lossProbe
        arm(.retransmission, after: wait)
        return true
    }

    func retransmissionTimerFired() {
        switch pending {
        case .nothing: break
        case .retransmission: timeoutFired()
        case .lossProbe: sendLossProbe()
        case .reordering: reorderingTimerFired()
        case .windowProbe: sendWindowProbe()
        }
    }

    private func timeoutFired() {
        switch state {
        case .synSent, .synReceived:
            return resendOpening()
        case .established:
            break
        case .closed, .listening:
            return
        }
        guard board.count > 0 else {
            pending = .nothing
            return
        }
        guard timeouts < settings.dataRetries else { return close(.timedOut) }
        enterLoss()
        timeouts += 1
        resend(board.first)
        backoff += 1
        armRetransmission(after: backedOffTimeout)
    }

    private func sendLossProbe() {
        pending = .nothing
        guard probeMark < 0, board.count > 0 else { return rearmRetransmission() }
        probeWasResend = false
        if unsent > 0, next < peerWindowEnd {
            guard sendNew(isProbe: true) > 0 else { return rearmRetransmission() }
        } else {
            resend(board.end - 1, countsAsResent: false)
            probeWasResend = true
        }
        probeMark = next
        pending = .nothing
        rearmRetransmission()
    }

    /// Learns from an acknowledgement whether the probe repaired a loss (RFC 8985, 7.4).
    func settleProbe(_ acknowledged: Int64, _ news: AcknowledgementNews) {
        guard acknowledged >= probeMark else { return }
        if !probeWasResend || news.duplicateOfProbe {
            probeMark = -1
        } else if acknowledged > probeMark {
            beginReduction()
            congestion = .reduced
            endReduction()
            keepOpen()
        } else if !(news.advanced || news.isNotDuplicate || news.sackedData) {
            probeMark = -1
        }
    }

    // MARK: Closed windows

    func armWindowProbe() {
        pending = .windowProbe
        arm(.retransmission, after: backedOffTimeout)
    }

    private func sendWindowProbe() {
        guard board.count == 0, unsent > 0 else {
            pending = .nothing
            return
        }
        backoff += 1
        // An old sequence number makes the peer say where it stands.
        emit(
            sequence: unacknowledged - 1,
            payload: 0,
            flags: TCPFlags.acknowledge,
            isRetransmission: false
        )
        armWindowProbe()
    }

    // MARK: Keep-alive

    func armKeepAlive() {
        guard let idle = times.keepAliveIdle else { return }
        arm(.keepAlive, at: now + idle)
    }

    func keepAliveFired() {
        guard state == .established, let idle = times.keepAliveIdle else { return }
        let silence = now - lastHeardAt
        guard silence >= idle else {
            return arm(.keepAlive, at: lastHeardAt + idle)
        }
        guard keepAliveUnanswered < settings.keepAliveProbes else { return close(.timedOut) }
        keepAliveUnanswered += 1
        emit(
            sequence: unacknowledged - 1,
            payload: 0,
            flags: TCPFlags.acknowledge,
            isRetransmission: false
        )
        arm(.keepAlive, at: now + times.keepAliveInterval)
    }
}
