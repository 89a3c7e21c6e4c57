/// What the bytes of one direction of a connection mean, in the order they were written.
///
/// TCP carries numbers of bytes; this says which record ends where. A TLS record means nothing before
/// its last byte is there; plain text is handed on as it comes.
struct RecordStream<Content> {
    struct Record {
        var content: Content
        /// Bytes of meaning: without the overhead of encryption.
        var length: Int
        /// The stream offset after its last byte.
        var end: Int64
    }

    private(set) var written: Int64 = 0
    private var records: [Record] = []
    private var head = 0

    /// Whether everything that was written was taken out.
    var isEmpty: Bool { head == records.count }

    /// Adds a record of `size` bytes on the wire.
    mutating func append(_ content: Content, length: Int, size: Int) {
        written += Int64(size)
        records.append(Record(content: content, length: length, end: written))
    }

    /// The next record if all of it lies before `offset`.
    mutating func next(before offset: Int64) -> Record? {
        guard head < records.count, records[head].end <= offset else { return nil }
        let record = records[head]
        head += 1
        if head == records.count {
            records.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64, head * 2 > records.count {
            records.removeFirst(head)
            head = 0
        }
        return record
    }
}
