/// Streams and flow control (RFC 9000, 2 to 4).
extension QUICEndpoint {
    // MARK: The user's verbs

    /// Opens the client's next stream.
    func openStream() -> Int {
        highestStream += 1
        streams.append(QUICStream(highestStream, window: settings.streamWindow))
        return highestStream
    }

    /// Adds bytes to a stream; they go with the next `sendPending`.
    func write(_ bytes: Int64, to number: Int) {
        guard bytes > 0, let stream = stream(number), !stream.isReset else { return }
        stream.sending.write(bytes)
    }

    /// Ends this end's half of a stream.
    func finish(_ number: Int) {
        guard let stream = stream(number), !stream.isReset else { return }
        stream.sending.finish()
    }

    /// Gives a stream up, both ways.
    func reset(_ number: Int) {
        guard let stream = stream(number), !stream.isReset else { return }
        owedResets.append(number)
        forget(stream)
    }

    /// The user has taken the bytes of a stream before `offset`: the windows open again.
    func consume(_ number: Int, upTo offset: Int64) {
        guard let stream = stream(number), offset > stream.consumed else { return }
        consumedData += offset - stream.consumed
        stream.consumed = offset
        // Half a window is worth an update (RFC 9000, 4.2 leaves the moment open).
        if !stream.receiving.isWhole,
            stream.consumed + settings.streamWindow - stream.announcedLimit
                >= settings.streamWindow / 2, !owedStreamLimits.contains(number)
        {
            owedStreamLimits.append(number)
        }
        noteConsumed()
    }

    private func noteConsumed() {
        if consumedData + settings.connectionWindow - announcedMaxData
            >= settings.connectionWindow / 2
        {
            owesMaxData = true
        }
    }

    /// Bytes written to a stream that were never sent.
    func unsent(_ number: Int) -> Int64 { stream(number)?.sending.unsent ?? 0 }

    /// The peer has bytes of a stream up to here, without a gap.
    func acknowledged(_ number: Int) -> Int64? { stream(number)?.sending.acknowledged }

    /// How many bytes of a stream the peer has, in order or behind a gap.
    func delivered(_ number: Int) -> Int64? { stream(number)?.sending.delivered }

    // MARK: Sending

    func stream(_ number: Int) -> QUICStream? {
        streams.first { $0.number == number }
    }

    /// Whether bytes of the stream may go now.
    func isSendable(_ stream: QUICStream) -> Bool {
        !stream.isReset && stream.sending.hasPending(limit: limit(of: stream))
    }

    private func limit(of stream: QUICStream) -> Int64 {
        min(stream.peerLimit, stream.sending.next + peerMaxData - sentData)
    }

    /// Gives the streams turns; a packet with bytes that go again has no new ones.
    func addStreams(
        _ frames: inout [QUICFrame],
        _ left: inout Int,
        _ datagram: inout QUICDatagram,
        _ wasAgain: Bool
    ) {
        let isAgain = wasAgain || streams.contains { !$0.isReset && $0.sending.hasLost }
        for _ in 0..<max(1, streams.count) {
            guard left > 24, let stream = nextSendable(lostOnly: isAgain) else { return }
            add(stream, &frames, &left, &datagram, lostOnly: isAgain)
        }
    }

    private func add(
        _ stream: QUICStream,
        _ frames: inout [QUICFrame],
        _ left: inout Int,
        _ datagram: inout QUICDatagram,
        lostOnly: Bool
    ) {
        let room = left - QUICFrame.streamHeader(stream.number, stream.sending.nextOffset)
        guard
            let piece = stream.sending.take(
                atMost: room,
                limit: limit(of: stream),
                lostOnly: lostOnly
            )
        else { return }
        let frame = QUICFrame.stream(stream.number, piece.range, isLast: piece.isLast)
        frames.append(frame)
        left -= frame.size
        datagram.payload += piece.range.count
        if piece.isAgain {
            datagram.isRetransmission = true
        } else {
            sentData += Int64(piece.range.count)
        }
    }

    private func nextSendable(lostOnly: Bool) -> QUICStream? {
        for step in 1...max(1, streams.count) where !streams.isEmpty {
            let index = (turn + step) % streams.count
            let stream = streams[index]
            guard !stream.isReset, lostOnly ? stream.sending.hasLost : isSendable(stream) else {
                continue
            }
            turn = index
            return stream
        }
        return nil
    }

    // MARK: Receiving

    func takeStream(_ number: Int, _ range: Range<Int64>, isLast: Bool) {
        accept(number)
        guard let stream = stream(number) else { return }
        let growth = stream.receiving.insert(range, isLast: isLast)
        receivedData += growth
        if range.lowerBound > stream.receiving.inOrder { stream.gapArrivalAt = now }
        if stream.isReset { return discard(growth, of: stream) }
        precondition(
            stream.receiving.highest <= stream.announcedLimit && receivedData <= announcedMaxData,
            "stream \(number) was sent beyond its flow control limit"
        )
        let offset = stream.receiving.inOrder
        guard offset > stream.told || (stream.receiving.isWhole && !stream.hasToldEnd) else {
            return
        }
        stream.told = offset
        stream.hasToldEnd = stream.receiving.isWhole
        if let user { user.received(self, stream: number, upTo: offset) }
        if number == 0 { consume(0, upTo: offset) }
    }

    /// The client has opened streams up to this one.
    private func accept(_ number: Int) {
        guard number > highestStream, !isClient else { return }
        for fresh in highestStream + 1...number {
            streams.append(QUICStream(fresh, window: settings.streamWindow))
        }
        highestStream = number
    }

    /// The peer has given a stream up; this end does as much (RFC 9000, 3.5), and both have counted its bytes.
    func takeReset(of number: Int, length: Int64) {
        accept(number)
        guard let stream = stream(number), !stream.isPeerReset else { return }
        let growth = stream.receiving.insert(
            stream.receiving.highest..<max(stream.receiving.highest, length),
            isLast: false
        )
        receivedData += growth
        stream.isPeerReset = true
        guard !stream.isReset else {
            discard(growth, of: stream)
            return forgetDoneStreams()
        }
        owedResets.append(number)
        forget(stream)
        user?.streamReset(self, stream: number)
    }

    /// Bytes that nobody will read count as read.
    private func discard(_ bytes: Int64, of stream: QUICStream) {
        consumedData += bytes
        stream.consumed += bytes
        noteConsumed()
    }

    private func forget(_ stream: QUICStream) {
        stream.isReset = true
        stream.sending.drop()
        discard(stream.receiving.highest - stream.consumed, of: stream)
    }

    /// Takes out streams on which nothing will happen any more.
    func forgetDoneStreams() {
        streams.removeAll { stream in
            stream.isDone && stream.number > 0 && stream.consumed >= stream.receiving.highest
                && !owedResets.contains(stream.number)
        }
    }
}
