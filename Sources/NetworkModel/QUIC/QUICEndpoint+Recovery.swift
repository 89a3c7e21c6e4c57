/// Acknowledgements, lost packets, probes (RFC 9002, 6 and appendix A).
extension QUICEndpoint {
    /// Persistent congestion after three probe time-outs (RFC 9002, 7.6.1).
    private static let persistence: Int64 = 3

    /// Takes an ACK frame in.
    func takeAcknowledgement(_ ranges: [Range<Int64>], delay: Int64, in space: QUICSpace) {
        var newly: [QUICSentPacket] = []
        for range in ranges {
            var index = space.firstIndex(notBelow: range.lowerBound)
            while index < space.sent.count, space.sent[index].number < range.upperBound {
                if !space.sent[index].isDone {
                    newly.append(space.sent[index])
                    space.settle(index)
                }
                index += 1
            }
        }
        guard let youngest = newly.last else { return }
        space.largestAcknowledged = max(space.largestAcknowledged, youngest.number)
        if isClient, space.name == .handshake { knowsValidation = true }
        sample(youngest, newly, largest: (ranges.last?.upperBound ?? 0) - 1, delay, space)
        let limited =
            isWindowLimited
            || (congestion.isInSlowStart && 2 * bytesInFlight >= congestion.bytes)
        detectLosses(in: space)
        var hasStreams = false
        for packet in newly {
            if packet.isInFlight, packet.path == path {
                bytesInFlight -= packet.size
                congestion.acknowledged(
                    packet.size,
                    sentAt: packet.sentAt,
                    isLimited: limited,
                    now: now
                )
            }
            if acknowledge(packet.frames, in: space) { hasStreams = true }
        }
        space.compact()
        if knowsValidation { probeCount = 0 }
        if hasStreams {
            forgetDoneStreams()
            user?.acknowledged(self)
        }
    }

    private func sample(
        _ youngest: QUICSentPacket,
        _ newly: [QUICSentPacket],
        largest: Int64,
        _ delay: Int64,
        _ space: QUICSpace
    ) {
        guard youngest.number == largest, youngest.path == path,
            newly.contains(where: \.isAckEliciting)
        else { return }
        let told = isConfirmed ? min(delay, times.longestAckDelay) : delay
        roundTrip.add(now - youngest.sentAt, delay: told)
        congestion.noteRoundTrip(
            roundTrip.latest,
            acknowledged: space.largestAcknowledged,
            next: space.next,
            now: now
        )
    }

    /// Bytes that have arrived need not be sent again; true if some were a stream's.
    private func acknowledge(_ frames: [QUICFrame], in space: QUICSpace) -> Bool {
        var hasStreams = false
        for frame in frames {
            switch frame {
            case .crypto(let range):
                space.crypto.acknowledge(range, isLast: false)
            case .stream(let number, let range, let isLast):
                stream(number)?.sending.acknowledge(range, isLast: isLast)
                hasStreams = true
            default:
                break
            }
        }
        return hasStreams
    }

    // MARK: Loss

    /// Marks what was overtaken by three packets, or is older than 9/8 of a round trip.
    func detectLosses(in space: QUICSpace) {
        space.lossTime = .max
        guard space.largestAcknowledged >= 0 else { return }
        let delay = roundTrip.lossDelay(granularity: times.granularity)
        var lost: [Int] = []
        for index in space.outstanding where !space.sent[index].isDone {
            let packet = space.sent[index]
            guard packet.number <= space.largestAcknowledged else { break }
            let isOvertaken =
                space.largestAcknowledged >= packet.number + settings.packetThreshold
            if isOvertaken || packet.sentAt + delay <= now {
                lost.append(index)
            } else {
                space.lossTime = min(space.lossTime, packet.sentAt + delay)
            }
        }
        if !lost.isEmpty { lose(lost, in: space) }
    }

    private func lose(_ lost: [Int], in space: QUICSpace) {
        var latest: Int64 = -1
        for index in lost {
            let packet = space.sent[index]
            space.settle(index)
            if packet.isInFlight, packet.path == path {
                bytesInFlight -= packet.size
                latest = max(latest, packet.sentAt)
            }
            sendAgain(packet.frames, in: space)
        }
        guard latest >= 0 else { return }
        if congestion.lost(latestSentAt: latest, now: now) {
            // One packet goes before the window falls, so that what was lost goes again at once (7.3.2).
            probesLeft = max(probesLeft, 1)
        }
        if isPersistent(lost, in: space) { congestion.collapse(now: now) }
    }

    /// Whether all that was sent for three probe time-outs is lost.
    private func isPersistent(_ lost: [Int], in space: QUICSpace) -> Bool {
        guard roundTrip.isPrimed, let first = lost.first, let last = lost.last,
            last - first + 1 == lost.count, space.sent[first].path == path
        else { return false }
        let timeout =
            roundTrip.probeTimeout(granularity: times.granularity) + times.longestAckDelay
        return space.sent[last].sentAt - space.sent[first].sentAt > Self.persistence * timeout
    }

    /// What a packet carried is owed again; acknowledgements and probes are not (RFC 9000, 13.3).
    private func sendAgain(_ frames: [QUICFrame], in space: QUICSpace) {
        for frame in frames {
            switch frame {
            case .crypto(let range):
                space.crypto.lose(range, isLast: false)
            case .stream(let number, let range, let isLast):
                guard let stream = stream(number), !stream.isReset else { continue }
                stream.sending.lose(range, isLast: isLast)
            case .resetStream(let number, _):
                if !owedResets.contains(number) { owedResets.append(number) }
            case .maxData:
                owesMaxData = true
            case .maxStreamData(let number, _):
                if !owedStreamLimits.contains(number) { owedStreamLimits.append(number) }
            case .pathChallenge(let number):
                if awaitedChallenge == number { owedChallenge = number }
            case .connectionIDs:
                owesConnectionIDs = true
            case .handshakeDone:
                owesHandshakeDone = true
            case .acknowledgement, .ping, .pathResponse, .padding, .close:
                break
            }
        }
    }

    // MARK: Probes

    /// Sets the timer for what may be lost, or for a probe (RFC 9002, A.8).
    func setLossTimer() {
        guard !isOver else { return }
        if let earliest = spaces.map(\.lossTime).min(), earliest < .max {
            return arm(.loss, at: earliest)
        }
        let isAnythingOut = spaces.contains { $0.elicitingInFlight > 0 }
        guard !isAmplificationLimited, isAnythingOut || !knowsValidation else {
            return disarm(.loss)
        }
        guard let (at, _) = probeTime() else { return disarm(.loss) }
        arm(.loss, at: max(at, now))
    }

    private func probeTime() -> (at: Int64, space: QUICSpace)? {
        let shift = Int64(min(probeCount, 20))
        let base = roundTrip.probeTimeout(granularity: times.granularity)
        guard spaces.contains(where: { $0.elicitingInFlight > 0 }) else {
            // Only a client gets here: it must speak, or a server that is held back never may.
            return (now + base << shift, handshaking.hasKeys ? handshaking : initial)
        }
        var earliest: (at: Int64, space: QUICSpace)?
        for space in spaces where space.elicitingInFlight > 0 {
            var span = base
            if space.name == .application {
                guard state == .open else { continue }
                span += times.longestAckDelay
            }
            let at = space.lastElicitingAt + span << shift
            if at < earliest?.at ?? .max { earliest = (at, space) }
        }
        if let earliest { return earliest }
        return (now + base << shift, handshaking.hasKeys ? handshaking : initial)
    }

    /// The time for something lost, or for a probe, has come.
    func lossTimerFired() {
        let due = spaces.filter { $0.lossTime <= now }
        if !due.isEmpty {
            for space in due {
                detectLosses(in: space)
                space.compact()
            }
            return sendPending()
        }
        guard let (_, space) = probeTime() else { return }
        probeCount += 1
        probe(space)
        sendPending()
    }

    /// Lets two datagrams go whatever the window says: new bytes, or the oldest again, or a PING.
    private func probe(_ space: QUICSpace) {
        probesLeft = 2
        pings[space.name.rawValue] = true
        let hasNew = space.name == .application && streams.contains { isSendable($0) }
        guard !hasNew else { return }
        let oldest = space.outstanding.lazy.filter {
            !space.sent[$0].isDone && space.sent[$0].isAckEliciting
        }
        for index in Array(oldest.prefix(2)) { sendAgain(space.sent[index].frames, in: space) }
    }
}
