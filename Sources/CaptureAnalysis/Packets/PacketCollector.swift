/// Collects packets as they come, in bounded memory, and puts them in order of time if that is asked.
///
/// Few stay in memory. Many go to a temporary file in runs; runs that are not in order of time are
/// merged into a second file.
struct PacketCollector: ~Copyable {
    /// Packets kept in memory: 6 MB.
    static let usualRun = 1 << 18

    private let ordersByTime: Bool
    private let run: Int
    private var packets: [TrafficPacket] = []
    private var ends: [Int] = []
    private var writer: PacketFile.Writer?
    private var problem: PacketFileError?
    private var last = Int64.min
    private var isOrdered = true

    /// Makes a collector; `run` is how many packets are kept in memory.
    init(ordersByTime: Bool, run: Int = usualRun) {
        self.ordersByTime = ordersByTime
        self.run = run
    }

    /// Takes a packet; a failing disk is told at the end.
    mutating func append(_ packet: TrafficPacket) {
        if packet.time < last { isOrdered = false }
        last = packet.time
        packets.append(packet)
        if packets.count == run { spill() }
    }

    /// Hands everything over; equals in time keep the order in which they came.
    mutating func finish() throws(PacketFileError) -> TrafficPackets {
        if let problem { throw problem }
        guard writer != nil else {
            sortRun()
            return TrafficPackets(packets)
        }
        if !packets.isEmpty { spill() }
        if let problem { throw problem }
        packets = []
        guard let file = writer?.finish() else { return [] }
        guard ordersByTime, !isOrdered else { return TrafficPackets(file) }
        return try merge(TrafficPackets(file))
    }

    private mutating func sortRun() {
        guard ordersByTime, !isOrdered else { return }
        // By number among equals: the sort of the library does not promise to keep their order.
        let order = packets.indices.sorted {
            (packets[$0].time, $0) < (packets[$1].time, $1)
        }
        packets = order.map { packets[$0] }
    }

    private mutating func spill() {
        guard problem == nil else {
            packets.removeAll(keepingCapacity: true)
            return
        }
        sortRun()
        do throws(PacketFileError) {
            if writer == nil { writer = try PacketFile.Writer() }
            try writer?.append(packets)
        } catch {
            problem = error
        }
        ends.append((ends.last ?? 0) + packets.count)
        packets.removeAll(keepingCapacity: true)
    }

    private func merge(_ runs: TrafficPackets) throws(PacketFileError) -> TrafficPackets {
        var starts = [0]
        starts += ends.dropLast()
        let cursors = zip(starts, ends).map { PacketMerge.Cursor(runs, $0..<$1) }
        var merge = PacketMerge(cursors)
        var writer = try PacketFile.Writer()
        var batch: [TrafficPacket] = []
        while let packet = merge.next() {
            batch.append(packet)
            if batch.count == 4_096 {
                try writer.append(batch)
                batch.removeAll(keepingCapacity: true)
            }
        }
        try writer.append(batch)
        return TrafficPackets(writer.finish())
    }
}
