/// The packets of a trace: in memory where they are few, in a temporary file where they are many.
///
/// Go through them with `for`, or with `read(_:)` for a part: both read ahead. Asking for one packet
/// by its index is a read of the file of its own.
package struct TrafficPackets: RandomAccessCollection, Sendable {
    private let storage: Storage

    private enum Storage: Sendable {
        case memory([TrafficPacket])
        case file(PacketFile)
    }

    /// Packets in memory.
    package init(_ packets: [TrafficPacket]) {
        storage = .memory(packets)
    }

    /// Packets in a file.
    init(_ file: PacketFile) {
        storage = .file(file)
    }

    package var startIndex: Int { 0 }

    package var endIndex: Int {
        switch storage {
        case .memory(let packets): packets.count
        case .file(let file): file.count
        }
    }

    package subscript(position: Int) -> TrafficPacket {
        switch storage {
        case .memory(let packets): packets[position]
        case .file(let file): file.packet(at: position)
        }
    }

    /// Reads all packets, from the first on.
    package func makeIterator() -> Iterator { read(0..<endIndex) }

    /// A part, in order, read ahead.
    func read(_ range: Range<Int>) -> Iterator {
        precondition(range.lowerBound >= 0 && range.upperBound <= endIndex, "no such packets")
        switch storage {
        case .memory(let packets): return Iterator(packets, range)
        case .file(let file): return Iterator(file, range)
        }
    }

    /// Reads packets one after the other; from a file by pieces of up to `piece` packets.
    package struct Iterator: IteratorProtocol, Sequence {
        /// Packets read at once: 24 kB.
        private static let piece = 1_024

        private var packets: [TrafficPacket]
        private var position: Int
        private var limit: Int
        private let file: PacketFile?
        private var rest: Range<Int>

        fileprivate init(_ packets: [TrafficPacket], _ range: Range<Int>) {
            self.packets = packets
            position = range.lowerBound
            limit = range.upperBound
            file = nil
            rest = range.upperBound..<range.upperBound
        }

        fileprivate init(_ file: PacketFile, _ range: Range<Int>) {
            packets = []
            position = 0
            limit = 0
            self.file = file
            rest = range
        }

        package mutating func next() -> TrafficPacket? {
            if position == limit {
                guard let file, !rest.isEmpty else { return nil }
                let count = Swift.min(Self.piece, rest.count)
                file.read(rest.prefix(count), into: &packets)
                rest = rest.dropFirst(count)
                position = 0
                limit = count
            }
            defer { position += 1 }
            return packets[position]
        }
    }
}

extension TrafficPackets: Equatable {
    package static func == (one: TrafficPackets, other: TrafficPackets) -> Bool {
        one.count == other.count && one.elementsEqual(other)
    }
}

extension TrafficPackets: ExpressibleByArrayLiteral {
    /// Makes packets that are kept in memory.
    package init(arrayLiteral packets: TrafficPacket...) {
        self.init(packets)
    }
}
