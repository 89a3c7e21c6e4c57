/// Merges stretches of packets, each in order of time, into one in order of time.
///
/// Among equals in time, the packet with the lower index comes first. A stretch is read from when its
/// first packet is due. Cost a packet: the logarithm of the stretches that overlap.
struct PacketMerge: Sequence, IteratorProtocol {
    /// A stretch and how far its packets are moved in time.
    struct Cursor {
        private let packets: TrafficPackets
        private var reader: TrafficPackets.Iterator?
        private var index: Int
        private let end: Int
        private let shift: Int64
        private let latest: Int64
        /// The packet that is next.
        private(set) var head: TrafficPacket

        /// A stretch, moved by `shift` nanoseconds but not before zero nor past `latest`; not empty.
        init(
            _ packets: TrafficPackets,
            _ range: Range<Int>,
            shift: Int64 = 0,
            latest: Int64 = .max
        ) {
            precondition(!range.isEmpty, "an empty stretch")
            self.packets = packets
            self.shift = shift
            self.latest = latest
            index = range.lowerBound
            end = range.upperBound
            head = packets[range.lowerBound]
            head.time = time(of: head)
        }

        /// What packets are in order of.
        fileprivate var key: (time: Int64, index: Int) { (head.time, index) }

        /// Goes on to the next packet; false at the end.
        fileprivate mutating func advance() -> Bool {
            index += 1
            guard index < end else { return false }
            if reader == nil { reader = packets.read(index..<end) }
            guard let packet = reader?.next() else { return false }
            head = packet
            head.time = time(of: packet)
            return true
        }

        private func time(of packet: TrafficPacket) -> Int64 {
            shift == 0 ? packet.time : Swift.min(Swift.max(0, packet.time + shift), latest)
        }
    }

    /// Stretches whose first packet has not been due, the first one last.
    private var waiting: [Cursor]
    /// Those that are being read: a binary heap by the packet that is next.
    private var heap: [Cursor] = []

    /// Merges stretches, given in any order.
    init(_ cursors: [Cursor]) {
        waiting = cursors.sorted { $0.key > $1.key }
    }

    mutating func next() -> TrafficPacket? {
        while let first = waiting.last, heap.first.map({ first.key < $0.key }) ?? true {
            heap.append(waiting.removeLast())
            rise()
        }
        guard !heap.isEmpty else { return nil }
        let packet = heap[0].head
        if !heap[0].advance() {
            let last = heap.removeLast()
            if heap.isEmpty { return packet }
            heap[0] = last
        }
        sink()
        return packet
    }

    private mutating func rise() {
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].key < heap[parent].key else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].key < heap[least].key {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
