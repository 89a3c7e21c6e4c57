import Trace

/// Datagrams: what goes into each, and how many may go.
extension QUICEndpoint {
    /// Less than this and a packet carries nothing worth sending.
    private static let leastRoom = 48

    /// Sends what is owed and what the windows allow.
    func sendPending() {
        guard !isTaking, !isOver else { return }
        // Without a route the socket takes nothing; a packet that was never sent says nothing of the path.
        guard !isClient || withConnection({ $0.hasRoute }) else {
            probesLeft = 0
            return setLossTimer()
        }
        restartAfterIdle()
        while let datagram = makeDatagram() {
            if datagram.packets.contains(where: \.isAckEliciting) {
                probesLeft = max(0, probesLeft - 1)
            }
            transmit(datagram)
        }
        probesLeft = 0
        setLossTimer()
    }

    private func restartAfterIdle() {
        guard bytesInFlight == 0, lastSentAt > 0 else { return }
        let timeout = roundTrip.probeTimeout(granularity: times.granularity)
        if now - lastSentAt > timeout { congestion.restart() }
    }

    /// The largest datagram that may go now: the server's are limited before the path is validated.
    private var room: Int {
        let most =
            isConfirmed || state == .open ? settings.datagramSize : QUICSettings.leastDatagram
        return isPathValidated ? most : min(most, 3 * pathReceived - pathSent)
    }

    /// Whether the anti-amplification limit holds the server back (RFC 9000, 8.1).
    var isAmplificationLimited: Bool { !isPathValidated && room < Self.leastRoom }

    private func makeDatagram() -> QUICDatagram? {
        let room = self.room
        guard room >= Self.leastRoom else { return nil }
        let fits = bytesInFlight == 0 || bytesInFlight + room <= congestion.bytes
        let mayElicit = probesLeft > 0 || fits
        isWindowLimited = !fits && spaces.contains { maySend($0) && hasContent($0) }
        var datagram = QUICDatagram()
        for space in spaces where maySend(space) {
            addPacket(space, to: &datagram, room: room - datagram.size, mayElicit: mayElicit)
        }
        guard !datagram.packets.isEmpty else { return nil }
        pad(&datagram, room: room)
        return datagram
    }

    /// Fills a datagram to 1,200 bytes where the RFC says so (14.1, 8.2.1).
    private func pad(_ datagram: inout QUICDatagram, room: Int) {
        let isNeeded = datagram.packets.contains { packet in
            packet.frames.contains {
                switch $0 {
                case .pathChallenge, .pathResponse: true
                default: false
                }
            } || (packet.space == .initial && (isClient || packet.isAckEliciting))
        }
        let missing = min(QUICSettings.leastDatagram, room) - datagram.size
        guard isNeeded, missing > 0 else { return }
        let last = datagram.packets.count - 1
        datagram.packets[last].frames.append(.padding(missing))
        datagram.packets[last].size += missing
        datagram.size += missing
    }

    private func addPacket(
        _ space: QUICSpace,
        to datagram: inout QUICDatagram,
        room: Int,
        mayElicit: Bool
    ) {
        let isEarly = space.name == .application && isClient && state == .opening
        let overhead = QUICPacket.overhead(space.name, isEarly: isEarly)
        var left = room - overhead
        guard left > 0 else { return }
        var frames: [QUICFrame] = []
        let content = mayElicit && hasContent(space)
        if !isEarly, space.mustAnswer || (content && space.unanswered > 0),
            let answer = acknowledgement(of: space, room: left)
        {
            frames.append(answer)
            left -= answer.size
        }
        let answers = frames.count
        if content {
            var isAgain = false
            addCrypto(space, &frames, &left, &datagram, &isAgain)
            if space.name == .application {
                if !isEarly { addOwed(&frames, &left) }
                addStreams(&frames, &left, &datagram, isAgain)
            }
            if pings[space.name.rawValue] {
                pings[space.name.rawValue] = false
                // Beside frames that only probe a path, it says that the phone is there for good.
                if left > 0, frames.dropFirst(answers).allSatisfy(\.isProbing) {
                    frames.append(.ping)
                    left -= 1
                }
            }
        }
        guard !frames.isEmpty else { return }
        if answers > 0 { noteAnswered(space) }
        datagram.packets.append(
            QUICPacket(
                space: space.name,
                isEarly: isEarly,
                number: space.takeNumber(),
                frames: frames,
                size: room - left
            )
        )
        datagram.size += room - left
    }

    private func acknowledgement(of space: QUICSpace, room: Int) -> QUICFrame? {
        let delay = space.name == .application ? now - space.largestReceivedAt : 0
        var told = space.received.ranges.suffix(QUICSpace.rangesTold)
        while !told.isEmpty {
            let frame = QUICFrame.acknowledgement(Array(told), delay: delay)
            if frame.size <= room { return frame }
            told = told.dropFirst()
        }
        return nil
    }

    private func noteAnswered(_ space: QUICSpace) {
        space.unanswered = 0
        space.mustAnswer = false
        if space.name == .application { disarm(.acknowledgement) }
    }

    /// Whether the space has something that wants an acknowledgement.
    func hasContent(_ space: QUICSpace) -> Bool {
        if space.crypto.hasPending(limit: .max) || pings[space.name.rawValue] { return true }
        guard space.name == .application else { return false }
        let isEarly = isClient && state == .opening
        return (!isEarly && owesAnything) || streams.contains { isSendable($0) }
    }

    private func addCrypto(
        _ space: QUICSpace,
        _ frames: inout [QUICFrame],
        _ left: inout Int,
        _ datagram: inout QUICDatagram,
        _ isAgain: inout Bool
    ) {
        while left > 16,
            let piece = space.crypto.take(atMost: left - 7, limit: .max, lostOnly: false)
        {
            let frame = QUICFrame.crypto(piece.range)
            frames.append(frame)
            left -= frame.size
            datagram.payload += piece.range.count
            if piece.isAgain {
                isAgain = true
                datagram.isRetransmission = true
            }
        }
    }

    private var owesAnything: Bool {
        owesHandshakeDone || owesConnectionIDs || owesMaxData || owedChallenge != nil
            || owedResponse != nil || !owedResets.isEmpty || !owedStreamLimits.isEmpty
    }

    private func addOwed(_ frames: inout [QUICFrame], _ left: inout Int) {
        func add(_ frame: QUICFrame) -> Bool {
            guard frame.size <= left else { return false }
            frames.append(frame)
            left -= frame.size
            return true
        }
        if let challenge = owedChallenge, add(.pathChallenge(challenge)) { owedChallenge = nil }
        if let response = owedResponse, add(.pathResponse(response)) { owedResponse = nil }
        if owesHandshakeDone, add(.handshakeDone) { owesHandshakeDone = false }
        if owesConnectionIDs, add(.connectionIDs) { owesConnectionIDs = false }
        if owesMaxData {
            let limit = consumedData + settings.connectionWindow
            if add(.maxData(limit)) {
                announcedMaxData = limit
                owesMaxData = false
            }
        }
        while let number = owedResets.first {
            let length = stream(number)?.sending.next ?? 0
            guard add(.resetStream(number, length: length)) else { return }
            owedResets.removeFirst()
        }
        while let number = owedStreamLimits.first {
            guard let stream = stream(number), !stream.isReset else {
                owedStreamLimits.removeFirst()
                continue
            }
            let limit = stream.consumed + settings.streamWindow
            guard add(.maxStreamData(number, limit)) else { return }
            stream.announcedLimit = limit
            owedStreamLimits.removeFirst()
        }
    }

    // MARK: Putting on the way

    private func transmit(_ datagram: QUICDatagram) {
        var elicits = false
        let wasIdle = bytesInFlight == 0 && lastSentAt > 0
        for packet in datagram.packets {
            let isInFlight = packet.isInFlight
            guard isInFlight else { continue }
            bytesInFlight += packet.size
            let isEliciting = packet.isAckEliciting
            elicits = elicits || isEliciting
            spaces[packet.space.rawValue].keep(
                QUICSentPacket(
                    number: packet.number,
                    sentAt: now,
                    size: packet.size,
                    isAckEliciting: isEliciting,
                    isInFlight: isInFlight,
                    path: path,
                    frames: packet.frames
                )
            )
        }
        if elicits {
            if wasIdle { congestion.resumed(after: now - lastSentAt, now: now) }
            lastSentAt = now
            if !hasSentSinceHeard {
                hasSentSinceHeard = true
                idleSince = now
                armIdle()
            }
        }
        pathSent += datagram.size
        withConnection { $0.send(datagram, from: self) }
        // A client that has sent a Handshake packet needs its Initial keys no more (RFC 9001, 4.9.1).
        if isClient, datagram.packets.contains(where: { $0.space == .handshake }) {
            discard(initial)
        }
    }

    /// Sends a packet that closes the connection, in the newest space that the peer can read.
    func sendClose(_ code: QUICCloseCode) {
        let name: QUICSpaceName =
            state == .open ? .application : handshaking.hasKeys ? .handshake : .initial
        let size = QUICPacket.overhead(name, isEarly: false) + QUICFrame.close(code).size
        var packet = QUICPacket(
            space: name,
            number: spaces[name.rawValue].takeNumber(),
            frames: [.close(code)],
            size: size
        )
        // A client's Initial fills a datagram whatever it says.
        if isClient, name == .initial {
            packet.frames.append(.padding(QUICSettings.leastDatagram - size))
            packet.size = QUICSettings.leastDatagram
        }
        let datagram = QUICDatagram(packets: [packet], size: packet.size)
        withConnection { $0.send(datagram, from: self) }
    }
}
