import Trace

/// What one acknowledgement brought to light.
struct AcknowledgementNews {
    var advanced = false
    var acknowledgedData = false
    var acknowledgedSyn = false
    var acknowledgedResent = false
    /// Data that was never sent again was acknowledged, up to the mark of the episode.
    var acknowledgedOriginal = false
    var sackedData = false
    var reportedDuplicate = false
    var duplicateOfProbe = false
    var carriedData = false
    var movedWindow = false
    var lostResent = false
    var setsTimer = false
    var firstAcknowledgedAt: Int64 = -1
    var lastAcknowledgedAt: Int64 = -1
    var firstSackedAt: Int64 = -1
    var lastSackedAt: Int64 = -1

    /// Whether it says something else than "again".
    var isNotDuplicate: Bool {
        carriedData || movedWindow || acknowledgedData || acknowledgedSyn
    }
}

/// The sender's answer to acknowledgements.
extension TCPEndpoint {
    /// Takes the acknowledgement of a segment in.
    func takeAcknowledgement(_ packet: Packet) {
        let acknowledged = packet.acknowledgement
        guard acknowledged <= next, acknowledged >= unacknowledged else { return }
        var news = AcknowledgementNews()
        let priorUnacknowledged = unacknowledged
        let priorDelivered = delivered
        let priorLost = lostTotal
        news.carriedData = packet.payload > 0 || packet.flags & (TCPFlags.fin | TCPFlags.syn) != 0
        if acknowledged > unacknowledged {
            news.advanced = true
            timeouts = 0
        }
        takeWindow(packet, &news)
        let priorCount = board.count
        unacknowledged = acknowledged
        guard priorCount > 0 else {
            if probeMark >= 0 { settleProbe(acknowledged, news) }
            return
        }
        if packet.ranges.count > 0 {
            takeRanges(packet, prior: priorUnacknowledged, &news)
        }
        let priorSacked = sackedOut
        clearAcknowledged(prior: priorUnacknowledged, &news)
        takeSamples(packet, priorSacked: priorSacked, &news)
        updateReorderingWindow()
        if probeMark >= 0 { settleProbe(acknowledged, news) }
        var rexmit = Rexmit.nothing
        if !news.isNotDuplicate || news.sackedData || news.reportedDuplicate || congestion != .open
        {
            rexmit = alert(prior: priorUnacknowledged, &news)
        }
        if news.setsTimer { setTransmissionTimer() }
        let newlyDelivered = delivered - priorDelivered
        if newlyDelivered > 0 { deliveredAt = now }
        controlCongestion(
            newlyDelivered: newlyDelivered,
            newlyLost: lostTotal - priorLost,
            news
        )
        switch rexmit {
        case .nothing: break
        case .lost: resendLost()
        case .newData:
            _ = sendNew(isProbe: false)
            if next <= highMark {
                probesNewData = false
                resendLost()
            }
        }
    }

    enum Rexmit {
        case nothing
        case lost
        case newData
    }

    private func takeWindow(_ packet: Packet, _ news: inout AcknowledgementNews) {
        let offered = Int64(packet.window)
        if packet.acknowledgement > unacknowledged || packet.payload > 0 || offered > peerWindow {
            news.movedWindow = offered != peerWindow || packet.acknowledgement > unacknowledged
            peerWindow = offered
            peerWindowEnd = max(peerWindowEnd, packet.acknowledgement + offered)
        }
        if pending == .windowProbe, peerWindowEnd > next { pending = .nothing }
    }

    // MARK: Selective acknowledgements

    private func takeRanges(_ packet: Packet, prior: Int64, _ news: inout AcknowledgementNews) {
        let base = packet.acknowledgement
        var first = 0
        let head = packet.ranges[0]
        let second =
            packet.ranges.count > 1 ? packet.ranges[1] : (lower: Int64.max, upper: Int64.max)
        if head.lower < 0 || (head.lower >= second.lower && head.upper <= second.upper) {
            first = 1
            takeDuplicate(lower: base + head.lower, upper: base + head.upper, prior: prior, &news)
        }
        for index in first..<Int(packet.ranges.count) {
            let range = packet.ranges[index]
            mark(lower: base + range.lower, upper: base + range.upper, &news)
        }
        sackCache.removeAll(keepingCapacity: true)
        for index in first..<Int(packet.ranges.count) {
            let range = packet.ranges[index]
            sackCache.append((base + range.lower, base + range.upper))
        }
    }

    private func takeDuplicate(
        lower: Int64,
        upper: Int64,
        prior: Int64,
        _ news: inout AcknowledgementNews
    ) {
        news.reportedDuplicate = true
        sawDuplicateReport = true
        if probeMark >= 0, probeWasResend, upper >= probeMark { news.duplicateOfProbe = true }
        if undoMarker >= 0, undoResent > 0, upper <= prior, upper > undoMarker {
            undoResent = max(0, undoResent - 1)
        }
    }

    private func mark(lower: Int64, upper: Int64, _ news: inout AcknowledgementNews) {
        var from = lower
        for cached in sackCache where cached.lower == lower && cached.upper <= upper {
            from = cached.upper
        }
        guard upper > from else { return }
        var number = board.firstEnding(after: from)
        while number < board.end {
            let record = board[number]
            guard record.pointee.sequence >= from || from == lower, record.pointee.end <= upper
            else { break }
            if record.pointee.sequence >= lower,
                record.pointee.marks & SegmentRecord.sacked == 0
            {
                markSacked(number, record, &news)
            }
            number += 1
        }
    }

    private func markSacked(
        _ number: Int32,
        _ record: UnsafeMutablePointer<SegmentRecord>,
        _ news: inout AcknowledgementNews
    ) {
        let marks = record.pointee.marks
        guard record.pointee.end > unacknowledged else { return }
        advanceRack(record.pointee)
        if marks & SegmentRecord.resent != 0 {
            if marks & SegmentRecord.lost != 0 {
                record.pointee.marks &= ~(SegmentRecord.lost | SegmentRecord.resent)
                lostOut -= 1
                resentOut -= 1
            }
        } else {
            if marks & SegmentRecord.everResent == 0 {
                if record.pointee.sequence < highestSacked { sawReordering = true }
                if record.pointee.end <= highMark { news.acknowledgedOriginal = true }
                if news.firstSackedAt < 0 { news.firstSackedAt = record.pointee.sentAt }
                news.lastSackedAt = record.pointee.sentAt
            }
            if marks & SegmentRecord.lost != 0 {
                record.pointee.marks &= ~SegmentRecord.lost
                lostOut -= 1
            }
        }
        record.pointee.marks |= SegmentRecord.sacked
        news.sackedData = true
        sackedOut += 1
        delivered += 1
        highestSacked = max(highestSacked, record.pointee.sequence)
        board.unlink(number)
    }

    // MARK: Cumulative acknowledgement

    private func clearAcknowledged(prior: Int64, _ news: inout AcknowledgementNews) {
        while board.count > 0 {
            let record = board[board.first].pointee
            guard record.end <= unacknowledged else { break }
            if record.marks & (SegmentRecord.resent | SegmentRecord.everResent) != 0 {
                if record.marks & SegmentRecord.resent != 0 { resentOut -= 1 }
                news.acknowledgedResent = true
            } else if record.marks & SegmentRecord.sacked == 0 {
                if news.firstAcknowledgedAt < 0 { news.firstAcknowledgedAt = record.sentAt }
                news.lastAcknowledgedAt = record.sentAt
                if record.sequence < highestSacked { sawReordering = true }
                if record.end <= highMark { news.acknowledgedOriginal = true }
            }
            if record.marks & SegmentRecord.sacked != 0 {
                sackedOut -= 1
            } else {
                delivered += 1
                if !isSpuriousResend(record) { advanceRack(record) }
            }
            if record.marks & SegmentRecord.lost != 0 { lostOut -= 1 }
            if record.flags & TCPFlags.syn != 0 {
                news.acknowledgedSyn = true
                resendStamp = -1
            } else {
                news.acknowledgedData = true
            }
            board.removeFirst()
        }
    }

    /// Whether the acknowledgement answers the original of a segment that was sent again.
    private func isSpuriousResend(_ record: SegmentRecord) -> Bool {
        record.marks & SegmentRecord.everResent != 0 && peerEcho < record.sentAt && peerEcho > 0
    }

    private func takeSamples(
        _ packet: Packet,
        priorSacked: Int,
        _ news: inout AcknowledgementNews
    ) {
        var sample: Int64 = -1
        var newest: Int64 = -1
        if news.firstAcknowledgedAt >= 0, !news.acknowledgedResent {
            sample = now - news.firstAcknowledgedAt
            newest = now - news.lastAcknowledgedAt
        }
        var sacked: Int64 = -1
        if news.firstSackedAt >= 0 {
            sacked = now - news.firstSackedAt
            newest = now - news.lastSackedAt
        }
        if sample < 0 { sample = sacked }
        if sample < 0, news.acknowledgedData || news.acknowledgedSyn, packet.echo > 0 {
            sample = now - packet.echo
            newest = sample
        }
        let hasSample = sample >= 0
        if hasSample {
            roundTrip.noteLowest(newest)
            roundTrip.add(sample, unacknowledged: unacknowledged, next: next)
            backoff = 0
        }
        if news.acknowledgedData || news.acknowledgedSyn {
            news.setsTimer = true
        } else if hasSample, sacked >= 0, board.count > 0,
            sacked > now - board[board.first].pointee.sentAt
        {
            // Measured on data sent after the head was: the timer may move, or else never would.
            news.setsTimer = true
        }
        if newest >= 0, settings.congestionControl == .cubic, news.acknowledgedSyn == false {
            let leaves = cubic.leavesSlowStart(
                delay: newest,
                window: window,
                isSlowStart: isInSlowStart,
                usesHyStart: settings.usesHyStart,
                unacknowledged: unacknowledged,
                next: next,
                now: now
            )
            if leaves, isInSlowStart { threshold = window }
        }
    }

    // MARK: The window

    private func controlCongestion(
        newlyDelivered: Int,
        newlyLost: Int,
        _ news: AcknowledgementNews
    ) {
        if isReducing {
            reduceWindow(
                newlyDelivered: newlyDelivered,
                newlyLost: newlyLost,
                advanced: news.advanced
            )
        } else if news.acknowledgedData || (sawReordering && news.sackedData) {
            growWindow(by: newlyDelivered)
        }
    }

    private func growWindow(by acknowledged: Int) {
        guard isLimitedByWindow else { return }
        WindowGrowth.grow(
            window: &window,
            count: &windowCount,
            threshold: threshold,
            by: acknowledged,
            control: settings.congestionControl,
            cubic: cubic,
            now: now
        )
    }

    /// The threshold that a loss now would set.
    func thresholdAfterLoss() -> Int {
        switch settings.congestionControl {
        case .cubic: cubic.threshold(at: window)
        case .newReno: max(window / 2, 2)
        }
    }
}
