/// The sending half of a stream, or of the handshake: which bytes are to go, and which have arrived.
struct QUICSendBuffer {
    /// One past the last byte written.
    private(set) var written: Int64 = 0
    /// Nothing more will be written.
    private(set) var isFinished = false
    /// The first byte that was never sent.
    private(set) var next: Int64 = 0
    /// Everything before it has arrived.
    private(set) var acknowledged: Int64 = 0
    private var lost = RangeSet()
    private var arrived = RangeSet()
    private var endToSend = false
    private var endArrived = false

    /// Whether all of it, and the end, has arrived.
    var isDone: Bool { isFinished && endArrived && acknowledged == written }
    /// Bytes that have arrived, in order or behind a gap.
    var delivered: Int64 {
        arrived.ranges.reduce(acknowledged) { $0 + $1.upperBound - $1.lowerBound }
    }
    /// Bytes written that were never sent.
    var unsent: Int64 { written - next }
    /// Whether bytes wait to be sent again.
    var hasLost: Bool { !lost.isEmpty }
    /// Whether something waits that may be sent up to the offset `limit`.
    func hasPending(limit: Int64) -> Bool {
        hasLost || next < min(written, limit) || (endToSend && next == written)
    }

    /// Where the piece begins that `take` gives next.
    var nextOffset: Int64 { lost.ranges.first?.lowerBound ?? next }

    /// Adds bytes.
    mutating func write(_ bytes: Int64) {
        precondition(!isFinished, "a stream that was finished takes no more bytes")
        written += bytes
    }

    /// Ends it after what was written.
    mutating func finish() {
        guard !isFinished else { return }
        isFinished = true
        endToSend = true
    }

    /// The next piece to send: what was lost before what is new; nil if there is none.
    mutating func take(atMost room: Int, limit: Int64, lostOnly: Bool) -> (
        range: Range<Int64>, isLast: Bool, isAgain: Bool
    )? {
        guard room > 0 else { return nil }
        if let range = lost.popFirst(atMost: Int64(room)) {
            return (range, takeEnd(after: range), true)
        }
        guard !lostOnly else { return nil }
        let end = min(written, limit, next + Int64(room))
        guard next < end || (endToSend && next == written) else { return nil }
        let range = next..<max(next, end)
        next = range.upperBound
        return (range, takeEnd(after: range), false)
    }

    private mutating func takeEnd(after range: Range<Int64>) -> Bool {
        guard endToSend, range.upperBound == written else { return false }
        endToSend = false
        return true
    }

    /// A piece was lost: what of it has not arrived otherwise goes again.
    mutating func lose(_ range: Range<Int64>, isLast: Bool) {
        let from = max(range.lowerBound, acknowledged)
        if from < range.upperBound {
            for part in arrived.missing(in: from..<range.upperBound) { lost.insert(part) }
        }
        if isLast, !endArrived { endToSend = true }
    }

    /// A piece has arrived.
    mutating func acknowledge(_ range: Range<Int64>, isLast: Bool) {
        if isLast {
            endArrived = true
            endToSend = false
        }
        lost.remove(range)
        if range.lowerBound <= acknowledged {
            acknowledged = max(acknowledged, range.upperBound)
            let end = arrived.end(from: acknowledged)
            acknowledged = end
            arrived.remove(0..<acknowledged)
        } else {
            arrived.insert(range)
            let end = arrived.end(from: acknowledged)
            if end > acknowledged {
                acknowledged = end
                arrived.remove(0..<end)
            }
        }
    }

    /// Nothing more is sent; what was sent stays counted.
    mutating func drop() {
        lost = RangeSet()
        written = next
        endToSend = false
    }
}

/// The receiving half: which bytes are there, and how far without a gap.
struct QUICReceiveBuffer {
    /// Everything before it is there.
    private(set) var inOrder: Int64 = 0
    /// One past the last byte that is there.
    private(set) var highest: Int64 = 0
    /// How long it is, once the end is known.
    private(set) var length: Int64?
    private var beyond = RangeSet()

    /// Whether all is there, and the end known.
    var isWhole: Bool { length == inOrder }

    /// Takes a piece in; returns by how much `highest` grew.
    mutating func insert(_ range: Range<Int64>, isLast: Bool) -> Int64 {
        if isLast { length = range.upperBound }
        let before = highest
        highest = max(highest, range.upperBound)
        if range.lowerBound <= inOrder {
            inOrder = max(inOrder, range.upperBound)
        } else {
            beyond.insert(range)
        }
        let end = beyond.end(from: inOrder)
        if end > inOrder { inOrder = end }
        beyond.remove(0..<inOrder)
        return highest - before
    }
}
