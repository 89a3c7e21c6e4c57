import Trace

/// Datagrams that arrive: packets, frames, and when to answer.
extension QUICEndpoint {
    /// Packets that may wait for their keys (assumption; RFC 9001, 5.7 lets an end keep some).
    private static let mostBuffered = 16
    /// Ranges of packet numbers that are remembered: RFC 9000, 13.2.3 wants a limit and leaves it open (assumption).
    ///
    /// Older ones go by this limit alone, not as acknowledgements of them are acknowledged (13.2.4).
    private static let rangesKept = 64

    /// Takes a datagram in that came from (or to) the phone's `from`.
    func take(_ datagram: QUICDatagram, from: Int32) {
        guard state != .closed else { return }
        if datagram.isStatelessReset { return isClient ? end(.reset) : () }
        if state == .listening {
            state = .opening
            initial.hasKeys = true
            idleSince = now
        }
        isTaking = true
        if from == address || isClient { pathReceived += datagram.size }
        lastHeardAt = now
        hasSentSinceHeard = false
        idleSince = now
        armIdle()
        armKeepAlive()
        for packet in datagram.packets {
            take(packet, from: from, size: datagram.size)
            guard state != .closed else { return }
        }
        readBuffered()
        guard state != .closed else { return }
        isTaking = false
        sendPending()
    }

    private func readBuffered() {
        guard !buffered.isEmpty else { return }
        let waiting = buffered
        buffered = []
        for packet in waiting {
            guard state != .closed else { return }
            take(packet, from: address, size: 0)
        }
    }

    private func take(_ packet: QUICPacket, from: Int32, size: Int) {
        let space = spaces[packet.space.rawValue]
        guard !space.isDiscarded else { return }
        guard mayRead(packet) else {
            if buffered.count < Self.mostBuffered { buffered.append(packet) }
            return
        }
        guard !space.received.contains(packet.number),
            packet.number >= space.received.ranges.first?.lowerBound ?? 0
                || space.received.ranges.count < Self.rangesKept
        else { return }
        let isInOrder = packet.number == space.largestReceived + 1
        space.received.insert(packet.number..<packet.number + 1)
        space.received.keepHighest(Self.rangesKept)
        if !isClient {
            if packet.space == .handshake {
                isPathValidated = true
                discard(initial)
            }
            if from != address, packet.space == .application, size > 0,
                packet.number > space.largestReceived, !packet.isProbing
            {
                migrate(to: from, received: size)
            }
        }
        if packet.number > space.largestReceived {
            space.largestReceived = packet.number
            space.largestReceivedAt = now
        }
        if packet.isAckEliciting { noteUnanswered(space, isInOrder: isInOrder) }
        for frame in packet.frames {
            take(frame, in: space)
            guard state != .closed else { return }
        }
    }

    /// Answers at once what opens, what shows a gap, and every second packet (RFC 9000, 13.2).
    private func noteUnanswered(_ space: QUICSpace, isInOrder: Bool) {
        space.unanswered += 1
        if space.name != .application || !isInOrder || space.unanswered >= 2 {
            space.mustAnswer = true
        } else if !isArmed(.acknowledgement) {
            arm(.acknowledgement, at: now + times.longestAckDelay)
        }
    }

    private func take(_ frame: QUICFrame, in space: QUICSpace) {
        switch frame {
        case .acknowledgement(let ranges, let delay):
            takeAcknowledgement(ranges, delay: delay, in: space)
        case .crypto(let range):
            _ = space.cryptoReceived.insert(range, isLast: false)
            advanceHandshake()
        case .stream(let number, let range, let isLast):
            takeStream(number, range, isLast: isLast)
        case .resetStream(let number, let length):
            takeReset(of: number, length: length)
        case .maxData(let limit):
            peerMaxData = max(peerMaxData, limit)
        case .maxStreamData(let number, let limit):
            if let stream = stream(number) { stream.peerLimit = max(stream.peerLimit, limit) }
        case .pathChallenge(let number):
            owedResponse = number
        case .pathResponse(let number):
            guard number == awaitedChallenge else { return }
            awaitedChallenge = nil
            isPathValidated = true
        case .handshakeDone:
            confirm()
        case .close(let code):
            switch code {
            case .finished: end(.finished)
            case .aborted: end(.reset)
            case .refused: end(.refused)
            }
        case .ping, .connectionIDs, .padding:
            break
        }
    }
}
