import Trace

/// The receiver: reassembly, windows, and when to acknowledge.
extension TCPEndpoint {
    /// Takes a segment with data or a FIN in.
    func receiveData(_ packet: Packet) {
        let hasFinish = packet.flags & TCPFlags.fin != 0
        let length = Int64(packet.payload) + (hasFinish ? 1 : 0)
        let end = packet.sequence + length
        if hasFinish { peerFinish = end - 1 }
        if end <= received {
            // All of it was there: tell of the duplicate at once (RFC 2883).
            acknowledgement.enterQuick(
                window: advertisedWindow,
                limit: settings.quickAcknowledgements
            )
            reassembly.noteDuplicate(lower: packet.sequence, upper: end)
            sendAcknowledgement()
            return
        }
        let windowEnd = max(announcedEnd, received + Int64(advertisedWindow))
        guard packet.sequence <= windowEnd else { return sendAcknowledgement() }
        growAllowance(by: Int(packet.payload))
        guard packet.sequence <= received else {
            acknowledgement.isDue = true
            gapArrivalAt = now
            if reassembly.insert(lower: packet.sequence, upper: end) {
                decideAcknowledgement()
            } else {
                sendAcknowledgement()
            }
            return
        }
        takeInOrder(packet, end: end)
        if isOrphan, packet.payload > 0 { return abort() }
        decideAcknowledgement()
        tellUser()
        acknowledgeReading()
    }

    private func takeInOrder(_ packet: Packet, end: Int64) {
        let hadGap = !reassembly.isEmpty
        received = end
        if hadGap {
            received = reassembly.advance(to: end)
            if reassembly.isEmpty { acknowledgement.isDemanded = true }
        }
        acknowledgement.noteData(
            payload: Int(packet.payload),
            segmentSize: settings.segmentSize,
            window: advertisedWindow,
            largestQuick: settings.quickAcknowledgements,
            timeout: roundTrip.timeout,
            now: now
        )
        if peerFinish >= 0, received > peerFinish { acknowledgement.isDemanded = true }
    }

    /// Tells the user, who may answer: then the answer carries the acknowledgement.
    private func tellUser() {
        let finished = peerFinish >= 0 && received > peerFinish
        let offset = received - 1 - (finished ? 1 : 0)
        if let user { user.received(self, upTo: offset) } else { consumed = received }
        guard state != .closed, finished, !sawPeerFinish else { return }
        sawPeerFinish = true
        user?.peerFinished(self)
        closeIfDone()
    }

    private func growAllowance(by payload: Int) {
        receiveAllowance = min(
            settings.largestReceiveWindow,
            receiveAllowance + 2 * min(payload, settings.segmentSize)
        )
    }

    /// The application has read everything: after a short segment that is acknowledged at once.
    private func acknowledgeReading() {
        guard state == .established, acknowledgement.isDue else { return }
        if acknowledgement.sawPushTwice
            || (acknowledgement.sawPush && !acknowledgement.isInteractive)
        {
            sendAcknowledgement()
        }
    }

    private func decideAcknowledgement() {
        let unanswered = received - lastAcknowledged
        if unanswered > Int64(acknowledgement.estimatedSegment) || acknowledgement.isQuick
            || acknowledgement.isDemanded
        {
            return sendAcknowledgement()
        }
        if reassembly.isEmpty { return delayAcknowledgement() }
        if acknowledgement.compressedBase != received {
            acknowledgement.compressedBase = received
            acknowledgement.duplicates = 0
        }
        if acknowledgement.duplicates < 3 || acknowledgement.compressed >= 44 {
            acknowledgement.duplicates += 1
            return sendAcknowledgement()
        }
        // Beyond the third, they are held back for a twentieth of the round trip, 1 ms at most.
        acknowledgement.compressed += 1
        guard !isArmed(.compressedAcknowledgement) else { return }
        let roundTrip = roundTrip.isPrimed ? roundTrip.smoothed : 20_000_000
        arm(.compressedAcknowledgement, at: now + min(1_000_000, roundTrip / 20))
    }

    private func delayAcknowledgement() {
        var wait = acknowledgement.wait
        let shortest = times.shortestAckDelay
        let longest = times.longestAckDelay
        if wait > shortest {
            var limit: Int64 = 500_000_000
            if acknowledgement.isInteractive || acknowledgement.sawPush { limit = longest }
            if roundTrip.isPrimed { limit = min(limit, max(roundTrip.smoothed, shortest)) }
            wait = min(wait, limit)
        }
        wait = min(wait, longest)
        if isArmed(.delayedAcknowledgement) {
            let standing = deadline(of: .delayedAcknowledgement)
            if standing <= now + wait / 4 { return sendAcknowledgement() }
            if standing <= now + wait { return }
        }
        arm(.delayedAcknowledgement, after: wait)
    }

    func delayedAcknowledgementFired() {
        guard acknowledgement.isDue else { return }
        if acknowledgement.isInteractive {
            acknowledgement.replies = 0
            acknowledgement.wait = times.shortestAckDelay
        } else {
            acknowledgement.wait = min(acknowledgement.wait * 2, roundTrip.timeout)
        }
        sendAcknowledgement()
    }

    func noteAcknowledgementSent() {
        acknowledgement.noteSent()
        lastAcknowledged = received
        disarm(.delayedAcknowledgement)
        disarm(.compressedAcknowledgement)
    }
}
