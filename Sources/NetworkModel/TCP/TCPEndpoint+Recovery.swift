import Trace

/// Loss detection by time (RFC 8985), proportional rate reduction (RFC 6937), undo and F-RTO
/// (RFC 5682): what happens when an acknowledgement is not plain.
extension TCPEndpoint {
    // MARK: The state machine

    /// Moves the congestion state on; returns what is to be sent again.
    func alert(prior: Int64, _ news: inout AcknowledgementNews) -> Rexmit {
        if congestion == .open {
            resendStamp = -1
        } else if unacknowledged >= highMark {
            leaveEpisode()
        }
        switch congestion {
        case .recovery:
            if news.advanced, undoPartially() { return .nothing }
            if undoByDuplicates() { tryToOpen() }
            identifyLosses(&news)
            if congestion != .recovery {
                guard lostOut > 0 else { return .nothing }
                enterRecovery()
            }
        case .loss:
            let rexmit = processLoss(&news)
            identifyLosses(&news)
            guard congestion == .open || news.lostResent else { return rexmit }
            return detect(&news, otherwise: rexmit)
        case .open, .disorder, .reduced:
            return detect(&news, otherwise: .nothing)
        }
        return .lost
    }

    private func leaveEpisode() {
        switch congestion {
        case .reduced:
            if unacknowledged != highMark {
                endReduction()
                congestion = .open
            }
        case .recovery:
            tryUndoRecovery()
            endReduction()
        default:
            break
        }
    }

    private func detect(_ news: inout AcknowledgementNews, otherwise: Rexmit) -> Rexmit {
        if congestion == .open || congestion == .disorder { _ = undoByDuplicates() }
        identifyLosses(&news)
        guard lostOut > 0 else {
            tryToOpen()
            return otherwise
        }
        enterRecovery()
        return .lost
    }

    private func tryToOpen() {
        if !wasAnythingResent { resendStamp = -1 }
        if congestion != .reduced { keepOpen() }
    }

    /// Open, or disorder while something is missing.
    func keepOpen() {
        let missing = sackedOut + lostOut
        let state: Congestion = missing > 0 || wasAnythingResent ? .disorder : .open
        if congestion != state {
            congestion = state
            highMark = next
        }
    }

    private var wasAnythingResent: Bool {
        resentOut > 0
            || (board.count > 0
                && board[board.first].pointee.marks & SegmentRecord.everResent != 0)
    }

    func enterRecovery() {
        priorThreshold = 0
        markForUndo()
        if !isReducing {
            priorThreshold = currentThreshold
            beginReduction()
        }
        congestion = .recovery
    }

    /// Counts the copies on their way: if all turn out to be duplicates, the episode is undone.
    private func markForUndo() {
        undoMarker = unacknowledged
        undoResent = resentOut + (probeMark >= 0 && probeWasResend ? 1 : 0)
        if undoResent == 0 { undoResent = -1 }
    }

    // MARK: Proportional rate reduction

    func beginReduction() {
        highMark = next
        probeMark = -1
        windowCount = 0
        priorWindow = window
        reductionDelivered = 0
        reductionSent = 0
        threshold = thresholdAfterLoss()
    }

    func reduceWindow(newlyDelivered: Int, newlyLost: Int, advanced: Bool) {
        guard newlyDelivered > 0, priorWindow > 0 else { return }
        let room = threshold - inFlight
        reductionDelivered += newlyDelivered
        var allowed: Int
        if room < 0 {
            let share = threshold * reductionDelivered + priorWindow - 1
            allowed = share / priorWindow - reductionSent
        } else {
            allowed = max(reductionDelivered - reductionSent, newlyDelivered)
            if advanced, newlyLost == 0 { allowed += 1 }
            allowed = min(room, allowed)
        }
        // A fast retransmission goes out whatever the sums say.
        allowed = max(allowed, reductionSent > 0 ? 0 : 1)
        window = inFlight + allowed
    }

    func endReduction() {
        if threshold < Int.max, congestion == .reduced || undoMarker >= 0 { window = threshold }
    }

    // MARK: RACK

    func advanceRack(_ record: SegmentRecord) {
        let elapsed = now - record.sentAt
        if elapsed < roundTrip.lowest,
            record.marks & (SegmentRecord.resent | SegmentRecord.everResent) != 0
        {
            return
        }
        rackAdvanced = true
        rackRoundTrip = elapsed
        if isSent(record.sentAt, record.end, after: rackSentAt, rackEnd) {
            rackSentAt = record.sentAt
            rackEnd = record.end
        }
    }

    private func isSent(_ at: Int64, _ end: Int64, after: Int64, _ afterEnd: Int64) -> Bool {
        at > after || (at == after && end > afterEnd)
    }

    private var reorderingWindow: Int64 {
        if !sawReordering {
            if congestion == .recovery || congestion == .loss { return 0 }
            if sackedOut >= 3 { return 0 }
        }
        let quarter = roundTrip.lowest == .max ? 0 : roundTrip.lowest / 4
        return min(quarter * reorderingSteps, roundTrip.smoothed)
    }

    /// Marks what was sent a round trip and a reordering window before something that arrived.
    ///
    /// Returns how long to wait for the next that may be lost; zero if none.
    private func detectLosses() -> Int64 {
        let allowance = rackRoundTrip + reorderingWindow
        var wait: Int64 = 0
        var number = board.earliest
        while number >= 0 {
            let record = board[number]
            let following = record.pointee.later
            let marks = record.pointee.marks
            if marks & SegmentRecord.lost != 0, marks & SegmentRecord.resent == 0 {
                number = following
                continue
            }
            guard isSent(rackSentAt, rackEnd, after: record.pointee.sentAt, record.pointee.end)
            else { break }
            let remaining = allowance - (now - record.pointee.sentAt)
            if remaining <= 0 {
                markLost(number)
                board.unlink(number)
            } else {
                wait = max(wait, remaining)
            }
            number = following
        }
        return wait
    }

    func markLost(_ number: Int32) {
        let record = board[number]
        let marks = record.pointee.marks
        guard marks & SegmentRecord.sacked == 0 else { return }
        if marks & SegmentRecord.lost != 0 {
            // The copy is lost too.
            guard marks & SegmentRecord.resent != 0 else { return }
            record.pointee.marks &= ~SegmentRecord.resent
            resentOut -= 1
        } else {
            record.pointee.marks |= SegmentRecord.lost
            lostOut += 1
            if marks & SegmentRecord.resent != 0 {
                record.pointee.marks &= ~SegmentRecord.resent
                resentOut -= 1
            }
        }
        lostTotal += 1
        retransmitHint = min(retransmitHint, number)
    }

    private func identifyLosses(_ news: inout AcknowledgementNews) {
        guard board.count > 0, rackAdvanced else { return }
        let priorResent = resentOut
        rackAdvanced = false
        let wait = detectLosses()
        if wait > 0 {
            pending = .reordering
            arm(.retransmission, after: wait + 2_000_000)
            news.setsTimer = false
        }
        if resentOut < priorResent { news.lostResent = true }
    }

    /// The wait for a late segment is over.
    func reorderingTimerFired() {
        let prior = inFlight
        let wait = detectLosses()
        if wait > 0 {
            pending = .reordering
            arm(.retransmission, after: wait + 2_000_000)
        }
        if prior != inFlight {
            if congestion != .recovery {
                enterRecovery()
                reduceWindow(newlyDelivered: 1, newlyLost: 0, advanced: false)
            }
            resendLost()
        }
        if pending != .retransmission { rearmRetransmission() }
    }

    /// Reports of duplicates say that the reordering window is too small (RFC 8985, 6.2).
    func updateReorderingWindow() {
        guard sawDuplicateReport else { return }
        sawDuplicateReport = false
        guard delivered >= duplicateReportMark else { return }
        reorderingSteps = min(255, reorderingSteps + 1)
        reorderingPersistence = 16
        duplicateReportMark = delivered + inFlight
    }

    // MARK: Timeout

    /// A timeout: what was sent long enough ago counts as lost, the window falls to one.
    func enterLoss() {
        let isNew = congestion != .recovery && congestion != .loss
        for number in board.first..<board.end {
            let sentAt = board[number].pointee.sentAt
            if number != board.first, rackRoundTrip - (now - sentAt) > 0 { continue }
            markLost(number)
        }
        if isNew || highMark <= unacknowledged || (congestion == .loss && timeouts == 0) {
            priorThreshold = currentThreshold
            priorWindow = window
            threshold = thresholdAfterLoss()
            markForUndo()
        }
        if settings.congestionControl == .cubic { cubic.reset(now: now, next: next) }
        window = inFlight + 1
        windowCount = 0
        congestion = .loss
        highMark = next
        probeMark = -1
        probesNewData = isNew || timeouts > 0
    }

    private func processLoss(_ news: inout AcknowledgementNews) -> Rexmit {
        let recovered = unacknowledged >= highMark
        if news.advanced, tryUndoLoss(isSpurious: false) { return .nothing }
        if probesNewData {
            if news.acknowledgedOriginal, tryUndoLoss(isSpurious: true) { return .nothing }
            if next > highMark {
                if news.sackedData || !news.isNotDuplicate { probesNewData = false }
            } else if news.advanced, !recovered {
                highMark = next
                if unsent > 0, peerWindowEnd > next { return .newData }
                probesNewData = false
            }
        }
        if recovered {
            tryUndoRecovery()
            return .nothing
        }
        return .lost
    }

    // MARK: Undo

    /// Whether the acknowledgement answers something sent before the first retransmission.
    private var answersOriginal: Bool {
        guard state == .established else { return false }
        return resendStamp < 0 || (peerEcho > 0 && peerEcho < resendStamp)
    }

    private var mayUndo: Bool {
        undoMarker >= 0 && (undoResent == 0 || answersOriginal)
    }

    private func undoReduction(unmarks: Bool) {
        if unmarks {
            for number in board.first..<board.end {
                board[number].pointee.marks &= ~SegmentRecord.lost
            }
            lostOut = 0
        }
        if priorThreshold > 0 {
            window = max(window, priorWindow)
            threshold = max(threshold, priorThreshold)
        }
        undoMarker = -1
        rackAdvanced = true
    }

    private func tryUndoRecovery() {
        if mayUndo { undoReduction(unmarks: false) }
        congestion = .open
        reorderingPersistence -= 1
        if reorderingPersistence <= 0 { reorderingSteps = 1 }
    }

    private func undoByDuplicates() -> Bool {
        guard undoMarker >= 0, undoResent == 0 else { return false }
        undoReduction(unmarks: false)
        return true
    }

    private func undoPartially() -> Bool {
        guard undoMarker >= 0, answersOriginal else { return false }
        if resentOut > 0 { return true }
        undoReduction(unmarks: true)
        congestion = .open
        keepOpen()
        return false
    }

    private func tryUndoLoss(isSpurious: Bool) -> Bool {
        guard isSpurious || mayUndo else { return false }
        undoReduction(unmarks: true)
        timeouts = 0
        congestion = .open
        return true
    }
}
