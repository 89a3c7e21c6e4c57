/// What the sender knows of each segment that is not acknowledged yet.
struct SegmentRecord {
    /// First sequence number.
    var sequence: Int64
    /// When it was last sent.
    var sentAt: Int64
    /// Sequence numbers that it takes.
    var length: Int32
    /// Neighbours in the order of sending; -1 at the ends.
    var earlier: Int32 = -1
    var later: Int32 = -1
    var marks: UInt8 = 0
    var flags: UInt8

    var end: Int64 { sequence + Int64(length) }

    static let sacked: UInt8 = 1
    static let lost: UInt8 = 2
    /// Sent again, and that copy is believed to be on its way.
    static let resent: UInt8 = 4
    /// Was ever sent again.
    static let everResent: UInt8 = 8
    /// Stands in the order of sending.
    static let listed: UInt8 = 16
}

/// Segments in flight by sequence, in a ring, threaded by the time of their last sending.
///
/// Segments are named by a running number, so that a growing ring moves no name.
final class Scoreboard {
    private var storage: UnsafeMutablePointer<SegmentRecord>?
    private var capacity: Int32 = 0
    /// The number of the oldest segment.
    private(set) var first: Int32 = 0
    private(set) var count: Int32 = 0
    /// The ends of the order of sending; -1 if none.
    private(set) var earliest: Int32 = -1
    private(set) var latest: Int32 = -1

    /// One past the youngest segment's number.
    var end: Int32 { first + count }

    deinit {
        storage?.deallocate()
    }

    /// The segment of a number in `first..<end`.
    subscript(number: Int32) -> UnsafeMutablePointer<SegmentRecord> {
        guard let storage else { preconditionFailure("no segment \(number): none was sent") }
        return storage + Int(number & (capacity - 1))
    }

    /// Adds the youngest segment and puts it last in the order of sending.
    func append(_ record: SegmentRecord) {
        if count == capacity { grow() }
        guard let storage else { return }
        let number = end
        (storage + Int(number & (capacity - 1))).initialize(to: record)
        count += 1
        link(number)
    }

    /// Forgets the oldest segment.
    func removeFirst() {
        unlink(first)
        first += 1
        count -= 1
    }

    /// Puts a segment last in the order of sending.
    func link(_ number: Int32) {
        unlink(number)
        let record = self[number]
        record.pointee.earlier = latest
        record.pointee.later = -1
        record.pointee.marks |= SegmentRecord.listed
        if latest >= 0 { self[latest].pointee.later = number } else { earliest = number }
        latest = number
    }

    /// Takes a segment out of the order of sending, if it is in it.
    func unlink(_ number: Int32) {
        let record = self[number]
        guard record.pointee.marks & SegmentRecord.listed != 0 else { return }
        record.pointee.marks &= ~SegmentRecord.listed
        let before = record.pointee.earlier
        let after = record.pointee.later
        if before >= 0 { self[before].pointee.later = after } else { earliest = after }
        if after >= 0 { self[after].pointee.earlier = before } else { latest = before }
    }

    /// The first segment that ends after `sequence`, or `end`.
    func firstEnding(after sequence: Int64) -> Int32 {
        var low = first
        var high = end
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].pointee.end <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func grow() {
        let larger = max(16, capacity * 2)
        let fresh = UnsafeMutablePointer<SegmentRecord>.allocate(capacity: Int(larger))
        if let storage {
            for number in first..<end {
                (fresh + Int(number & (larger - 1))).initialize(
                    to: storage[Int(number & (capacity - 1))]
                )
            }
            storage.deallocate()
        }
        storage = fresh
        capacity = larger
    }
}
