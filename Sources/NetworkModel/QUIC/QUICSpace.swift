/// A packet that was sent and is neither acknowledged nor lost.
struct QUICSentPacket {
    var number: Int64
    var sentAt: Int64
    var size: Int
    var isAckEliciting: Bool
    var isInFlight: Bool
    /// The path it was sent on, counted; older ones say nothing of the present path (RFC 9000, 9.4).
    var path: Int
    var frames: [QUICFrame]
    var isDone = false
}

/// One packet number space of one end: what was sent, what was received, its part of the handshake.
final class QUICSpace {
    /// Ranges that an acknowledgement tells at most (assumption; RFC 9000, 13.2.3 leaves it open).
    static let rangesTold = 32

    let name: QUICSpaceName
    /// Whether its keys are there, and not yet discarded.
    var hasKeys = false
    var isDiscarded = false

    // Sending.
    private(set) var next: Int64 = 0
    private(set) var sent: [QUICSentPacket] = []
    private var head = 0
    var largestAcknowledged: Int64 = -1
    var lossTime: Int64 = .max
    var lastElicitingAt: Int64 = 0
    var elicitingInFlight = 0
    var crypto = QUICSendBuffer()

    // Receiving.
    var received = RangeSet()
    var largestReceived: Int64 = -1
    var largestReceivedAt: Int64 = 0
    /// Packets that want an acknowledgement and have none.
    var unanswered = 0
    /// Answer at once.
    var mustAnswer = false
    var cryptoReceived = QUICReceiveBuffer()

    init(_ name: QUICSpaceName) {
        self.name = name
    }

    func takeNumber() -> Int64 {
        next += 1
        return next - 1
    }

    /// Keeps a packet until it is acknowledged or lost.
    func keep(_ packet: QUICSentPacket) {
        sent.append(packet)
        guard packet.isAckEliciting else { return }
        elicitingInFlight += 1
        lastElicitingAt = packet.sentAt
    }

    /// Packets that are still out, the oldest first.
    var outstanding: Range<Int> { head..<sent.count }

    /// Takes the packet at `index` out.
    func settle(_ index: Int) {
        guard !sent[index].isDone else { return }
        sent[index].isDone = true
        if sent[index].isAckEliciting { elicitingInFlight -= 1 }
    }

    /// The first index whose number is not below `number`.
    func firstIndex(notBelow number: Int64) -> Int {
        var low = head
        var high = sent.count
        while low < high {
            let middle = (low + high) / 2
            if sent[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Forgets packets at the front that are settled.
    func compact() {
        while head < sent.count, sent[head].isDone { head += 1 }
        if head == sent.count {
            sent.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64, head * 2 > sent.count {
            sent.removeFirst(head)
            head = 0
        }
    }

    /// Its keys are discarded: nothing in it counts any more (RFC 9001, 4.9).
    ///
    /// Returns the bytes that were in flight on `path`.
    func discard(path: Int) -> Int {
        var bytes = 0
        for index in outstanding where !sent[index].isDone {
            if sent[index].isInFlight, sent[index].path == path { bytes += sent[index].size }
        }
        sent = []
        head = 0
        hasKeys = false
        isDiscarded = true
        elicitingInFlight = 0
        lossTime = .max
        unanswered = 0
        mustAnswer = false
        crypto.drop()
        return bytes
    }
}
