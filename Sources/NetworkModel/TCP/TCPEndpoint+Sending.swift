import Trace

/// New data, retransmissions and bare control segments.
extension TCPEndpoint {
    /// IP and TCP headers (20 + 20) and the timestamps option (12).
    static let headerSize = 52
    /// A SYN also carries segment size, selective acknowledgements and window scale (20 + 20 + 20).
    static let synSize = 60
    static let largestPacket = 1_500

    /// Sends new data while the windows allow it.
    func sendPending() {
        guard state == .established else { return }
        if sendNew(isProbe: false) > 0 { scheduleLossProbe(fromNow: false) }
        if board.count == 0, pending == .nothing, unsent > 0 || (finishRequested && !finishSent) {
            armWindowProbe()
        }
    }

    /// Sends new segments; a probe may exceed the congestion window by one.
    func sendNew(isProbe: Bool) -> Int {
        var sent = 0
        while true {
            let available = unsent
            let sendsFinish = finishRequested && !finishSent && available <= settings.segmentSize
            guard available > 0 || sendsFinish else { break }
            if inFlight >= window, !(isProbe && sent == 0) { break }
            if isProbe, sent > 0 { break }
            let payload = Int(min(available, Int64(settings.segmentSize)))
            let length = payload + (sendsFinish ? 1 : 0)
            guard next + Int64(payload) <= peerWindowEnd else { break }
            let flags =
                TCPFlags.acknowledge
                | (Int64(payload) == available ? TCPFlags.push : 0)
                | (sendsFinish ? TCPFlags.fin : 0)
            let wasEmpty = board.count == 0
            noteDataSent(wasEmpty: wasEmpty)
            board.append(
                SegmentRecord(
                    sequence: next,
                    sentAt: now,
                    length: Int32(length),
                    flags: flags
                )
            )
            emit(sequence: next, payload: payload, flags: flags, isRetransmission: false)
            next += Int64(length)
            if sendsFinish { finishSent = true }
            sent += 1
            if wasEmpty || pending == .lossProbe { rearmRetransmission() }
        }
        let isLimited = inFlight >= window
        if sent > 0 || isLimited { validateWindow(isLimited: isLimited) }
        if sent > 0, isReducing { reductionSent += sent }
        return sent
    }

    /// Sends one segment of the board again.
    func resend(_ number: Int32, countsAsResent: Bool = true) {
        let record = board[number]
        record.pointee.sentAt = now
        record.pointee.marks |= SegmentRecord.everResent
        if countsAsResent {
            record.pointee.marks |= SegmentRecord.resent
            resentOut += 1
            if resendStamp < 0 { resendStamp = now }
            undoResent = max(undoResent, 0) + 1
        }
        board.link(number)
        let isSyn = record.pointee.flags & TCPFlags.syn != 0
        let isFinish = record.pointee.flags & TCPFlags.fin != 0
        let payload = Int(record.pointee.length) - (isSyn ? 1 : 0) - (isFinish ? 1 : 0)
        emit(
            sequence: record.pointee.sequence,
            payload: payload,
            flags: record.pointee.flags,
            isRetransmission: true
        )
    }

    /// Sends lost segments again while the window allows it.
    func resendLost() {
        guard board.count > 0 else { return }
        var number = max(retransmitHint, board.first)
        var passedHole = false
        var rearms = false
        while number < board.end {
            if !passedHole { retransmitHint = number }
            guard window > inFlight, resentOut < lostOut else { break }
            let marks = board[number].pointee.marks
            if marks & SegmentRecord.lost == 0 {
                if marks & (SegmentRecord.resent | SegmentRecord.sacked) == 0 { passedHole = true }
            } else if marks & (SegmentRecord.sacked | SegmentRecord.resent) == 0 {
                resend(number)
                if isReducing { reductionSent += 1 }
                if number == board.first, pending != .reordering { rearms = true }
            }
            number += 1
        }
        if rearms { armRetransmission(after: backedOffTimeout) }
    }

    /// Puts one packet on the way; whatever goes out carries the newest acknowledgement.
    func emit(sequence: Int64, payload: Int, flags: UInt8, isRetransmission: Bool) {
        var packet = Packet()
        packet.payload = Int32(payload)
        packet.sequence = sequence
        packet.flags = flags
        packet.isRetransmission = isRetransmission
        packet.timestamp = now
        packet.echo = recentTimestamp
        packet.window = Int32(clamping: advertisedWindow)
        var size = (flags & TCPFlags.syn != 0 ? Self.synSize : Self.headerSize) + payload
        if flags & TCPFlags.acknowledge != 0 {
            packet.acknowledgement = received
            if reassembly.hasReport, size + 12 <= Self.largestPacket {
                reassembly.report(to: &packet.ranges, next: received)
                size += 4 + 8 * Int(packet.ranges.count)
            }
            noteAcknowledgementSent()
        }
        packet.size = Int32(size)
        announcedEnd = max(announcedEnd, received + Int64(packet.window))
        withConnection {
            packet.slot = Int32($0.slot)
            packet.connection = $0.number
            packet.address = Int32($0.address)
            $0.send(packet, fromPhone: isPhone)
        }
    }

    /// Sends a segment without data.
    func sendControl(_ flags: UInt8) {
        emit(sequence: next, payload: 0, flags: flags, isRetransmission: false)
    }

    func sendAcknowledgement() {
        guard state == .established else { return }
        sendControl(TCPFlags.acknowledge)
    }

    /// What may still come, in bytes.
    var advertisedWindow: Int {
        let unread = Int(received - consumed)
        let free = settings.largestReceiveWindow - max(0, unread)
        let open = max(0, min(receiveAllowance, free))
        // The right edge never moves back.
        return max(open, Int(announcedEnd - received))
    }

    // MARK: Idle and limits

    private func noteDataSent(wasEmpty: Bool) {
        if wasEmpty, lastSendAt > 0 { cubic.shift(by: now - lastSendAt, now: now) }
        lastSendAt = now
        acknowledgement.noteReply(now: now)
    }

    /// A connection that was silent for a timeout begins again with a small window (RFC 2861).
    func restartAfterIdle() {
        guard settings.restartsAfterIdle, state == .established, board.count == 0, unsent == 0,
            lastSendAt > 0
        else { return }
        var idle = now - lastSendAt
        guard idle > roundTrip.timeout else { return }
        threshold = currentThreshold
        let restart = min(settings.initialWindow, window)
        idle -= roundTrip.timeout
        while idle > 0, window > restart {
            window >>= 1
            idle -= roundTrip.timeout
        }
        window = max(window, restart)
    }

    /// The threshold that a pause keeps: at least three quarters of the window.
    var currentThreshold: Int {
        isReducing ? threshold : max(threshold, window / 2 + window / 4)
    }

    private func validateWindow(isLimited: Bool) {
        if unacknowledged >= usageMark || isLimited
            || (!isWindowLimited && Int(board.count) > largestFlight)
        {
            isWindowLimited = isLimited
            largestFlight = Int(board.count)
            usageMark = next
        }
    }

    /// Whether the window, not the application, holds back (RFC 7661's question).
    var isLimitedByWindow: Bool {
        if isWindowLimited { return true }
        return isInSlowStart && window < 2 * largestFlight
    }
}
