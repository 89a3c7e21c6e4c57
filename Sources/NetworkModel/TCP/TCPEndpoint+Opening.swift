import Trace

/// Handshake, close, reset: the states around the stream.
extension TCPEndpoint {
    // MARK: Opening

    /// Sends the first SYN.
    func connect() {
        state = .synSent
        openingSentAt = now
        next = 1
        board.append(SegmentRecord(sequence: 0, sentAt: now, length: 1, flags: TCPFlags.syn))
        emit(sequence: 0, payload: 0, flags: TCPFlags.syn, isRetransmission: false)
        armRetransmission(after: roundTrip.timeout)
    }

    /// Waits for a SYN.
    func listen() {
        state = .listening
    }

    func resendOpening() {
        let limit = settings.synRetries
        guard synResent < limit else { return close(.timedOut) }
        synResent += 1
        if state == .synSent {
            // A lost SYN counts as a loss: growth is careful from the start.
            enterLoss()
            timeouts += 1
            resend(board.first)
            if synResent >= settings.linearSynTimeouts { backoff += 1 }
        } else {
            answerSyn(isRetransmission: true)
            backoff += 1
        }
        armRetransmission(after: backedOffTimeout)
    }

    private func answerSyn(isRetransmission: Bool) {
        emit(
            sequence: 0,
            payload: 0,
            flags: TCPFlags.syn | TCPFlags.acknowledge,
            isRetransmission: isRetransmission
        )
    }

    /// Takes any segment in.
    func take(_ packet: Packet) {
        lastHeardAt = now
        keepAliveUnanswered = 0
        peerEcho = packet.echo
        if packet.flags & TCPFlags.reset != 0 { return takeReset() }
        if packet.sequence <= lastAcknowledged { recentTimestamp = packet.timestamp }
        switch state {
        case .closed:
            break
        case .listening:
            takeSyn(packet)
        case .synSent:
            takeSynAnswer(packet)
        case .synReceived:
            takeHandshakeEnd(packet)
        case .established:
            takeEstablished(packet)
        }
    }

    private func takeSyn(_ packet: Packet) {
        guard packet.flags & TCPFlags.syn != 0 else { return }
        state = .synReceived
        received = 1
        recentTimestamp = packet.timestamp
        openingSentAt = now
        next = 1
        answerSyn(isRetransmission: false)
        armRetransmission(after: roundTrip.timeout)
    }

    private func takeSynAnswer(_ packet: Packet) {
        guard packet.flags & TCPFlags.syn != 0, packet.flags & TCPFlags.acknowledge != 0 else {
            return
        }
        received = 1
        lastAcknowledged = 1
        recentTimestamp = packet.timestamp
        takeAcknowledgement(packet)
        establish(window: Int64(packet.window))
        sendAcknowledgement()
        user?.opened(self)
        sendPending()
    }

    private func takeHandshakeEnd(_ packet: Packet) {
        if packet.flags & TCPFlags.syn != 0 {
            // The answer to the first SYN was lost, or is late.
            return answerSyn(isRetransmission: true)
        }
        guard packet.acknowledgement >= 1 else { return }
        unacknowledged = 1
        lastAcknowledged = 1
        if synResent == 0 {
            roundTrip.noteLowest(now - openingSentAt)
            roundTrip.add(now - openingSentAt, unacknowledged: 0, next: next)
        }
        establish(window: Int64(packet.window))
        user?.opened(self)
        sendPending()
        if packet.payload > 0 || packet.flags & TCPFlags.fin != 0 { takeEstablished(packet) }
    }

    private func establish(window offered: Int64) {
        state = .established
        congestion = .open
        window = synResent > 1 ? 1 : settings.initialWindow
        windowCount = 0
        backoff = 0
        timeouts = 0
        undoMarker = -1
        resendStamp = -1
        peerWindow = offered
        peerWindowEnd = 1 + offered
        cubic.reset(now: now, next: next)
        if !roundTrip.isPrimed { roundTrip.fallBack(to: 3_000_000_000) }
        pending = .nothing
        disarm(.retransmission)
        armKeepAlive()
    }

    private func takeEstablished(_ packet: Packet) {
        if packet.flags & TCPFlags.syn != 0 {
            // The last step of the handshake was lost: say it again.
            return sendAcknowledgement()
        }
        takeAcknowledgement(packet)
        guard state == .established else { return }
        if packet.acknowledgement > toldAcknowledged {
            toldAcknowledged = packet.acknowledgement
            let finishTaken = finishSent && packet.acknowledgement == next ? 1 : 0
            user?.acknowledged(
                self,
                upTo: packet.acknowledgement - 1 - Int64(finishTaken)
            )
            closeIfDone()
        }
        guard state == .established else { return }
        if packet.payload > 0 || packet.flags & TCPFlags.fin != 0 {
            receiveData(packet)
        } else if packet.sequence < received {
            // A probe of the window, or of whether anyone is there.
            sendAcknowledgement()
        }
        sendPending()
    }

    // MARK: Closing

    /// Both directions are done: the side that closed last forgets at once, the other lingers nowhere.
    func closeIfDone() {
        guard finishSent, sawPeerFinish, unacknowledged == next, state == .established else {
            return
        }
        if acknowledgement.isDue { sendAcknowledgement() }
        close(.finished)
    }

    private func takeReset() {
        switch state {
        case .closed, .listening: break
        case .synSent: close(.refused)
        case .synReceived, .established: close(.reset)
        }
    }

    /// The user is gone, the system finishes: what was written is still sent, then a FIN.
    func orphan(hasUnread: Bool) {
        user = nil
        if hasUnread || state != .established { return abort() }
        isOrphan = true
        finish()
    }
}
