import PhoneModel
import Quantities
import Trace

/// Groups packets into bursts as the published tools do (research notes A.7).
package struct BurstAnalysis {
    /// A gap above this ends a burst: BURST_TH.
    static let gap: Int64 = 1_500_000_000
    /// A gap above this is long: LONG_BURST_TH.
    static let longGap: Int64 = 5_000_000_000
    /// A longer and larger burst is LONG: LARGE_BURST_DURATION and LARGE_BURST_SIZE.
    static let largeDuration: Int64 = 5_000_000_000
    static let largeSize: Int64 = 100_000
    /// Payloads above this may be full segments.
    static let segmentFloor: Int32 = 1_000
    /// What a full segment is if the trace does not tell.
    static let usualSegment: Int32 = 1_460

    /// Finds the bursts; `promotions` are the 3G promotions in order, which do not count as gaps.
    ///
    /// Two passes over the packets; memory grows with the bursts.
    package static func bursts(
        _ packets: TrafficPackets,
        promotions: [RadioRange] = []
    ) -> [Burst] {
        let segments = segmentSizes(packets)
        var raw: [PacketGroup] = []
        for (index, packet) in packets.enumerated() {
            guard let open = raw.last else {
                raw.append(PacketGroup(packet, at: index))
                continue
            }
            let isStall = segments.contains(open.last.payload)
            // Seconds are subtracted as the tools do, so that a gap of 1.5 s falls the same way.
            if packet.seconds - open.last.seconds > Double(gap) / 1e9, !isStall {
                raw.append(PacketGroup(packet, at: index))
            } else {
                raw[raw.count - 1].append(packet)
            }
        }
        let merged = merge(raw, promotions)
        return merged.indices.map { index in
            make(merged[index], next: index + 1 < merged.count ? merged[index + 1] : nil)
        }
    }

    /// Payload sizes that stand for full segments: more than 30 % of those that occur repeatedly.
    static func segmentSizes(_ packets: TrafficPackets) -> Set<Int32> {
        var counts: [Int32: Int] = [:]
        for packet in packets where packet.payload > segmentFloor {
            counts[packet.payload, default: 0] += 1
        }
        let repeated = counts.filter { $0.value > 1 }
        let total = repeated.values.reduce(0, +)
        let sizes = repeated.filter { $0.value * 10 > total * 3 }.keys
        return sizes.isEmpty ? [usualSegment] : Set(sizes)
    }

    private static func merge(
        _ raw: [PacketGroup],
        _ promotions: [RadioRange]
    ) -> [PacketGroup] {
        var shift = PromotionShift(promotions)
        var merged: [PacketGroup] = []
        var lastEnd = 0.0
        for group in raw {
            let start = shift.seconds(group.first.seconds)
            let end = shift.seconds(group.last.seconds)
            if !merged.isEmpty, start - lastEnd < Double(gap) / 1e9 {
                merged[merged.count - 1].append(group)
            } else {
                merged.append(group)
            }
            lastEnd = end
        }
        return merged
    }

    private static func make(_ group: PacketGroup, next: PacketGroup?) -> Burst {
        var isLong = true
        if let next {
            isLong = next.first.seconds - group.last.seconds > Double(longGap) / 1e9
        }
        return Burst(
            first: group.firstIndex,
            last: group.firstIndex + group.count - 1,
            start: group.first.time,
            end: group.last.time,
            payload: group.payload,
            category: category(group),
            isFollowedByLongGap: isLong
        )
    }

    private static func category(_ group: PacketGroup) -> Burst.Category {
        let first = group.first
        if group.last.time - first.time > largeDuration, group.payload > largeSize { return .long }
        if group.payload == 0 {
            if group.hasProtocolLabel { return .tcpProtocol }
            if first.label == .ackRecover || first.label == .ackDuplicate {
                return .tcpLossOrDuplicate
            }
        }
        if first.direction == .down, first.label == .data || first.label == .ack {
            return .serverNetworkDelay
        }
        let repairs: Set<TCPLabel> = [.ackDuplicate, .dataDuplicate, .dataRecover, .ackRecover]
        if repairs.contains(first.label) { return .tcpLossOrDuplicate }
        return group.payload > 0 ? .clientApp : .unknown
    }
}

/// Packets that follow each other, by what a burst's category asks of them.
private struct PacketGroup {
    let firstIndex: Int
    private(set) var count = 1
    let first: TrafficPacket
    private(set) var last: TrafficPacket
    private(set) var payload: Int64
    private(set) var hasProtocolLabel: Bool

    init(_ packet: TrafficPacket, at index: Int) {
        firstIndex = index
        first = packet
        last = packet
        payload = Int64(packet.payload)
        hasProtocolLabel = packet.label.isProtocol
    }

    mutating func append(_ packet: TrafficPacket) {
        count += 1
        last = packet
        payload += Int64(packet.payload)
        if packet.label.isProtocol { hasProtocolLabel = true }
    }

    mutating func append(_ group: PacketGroup) {
        count += group.count
        last = group.last
        payload += group.payload
        if group.hasProtocolLabel { hasProtocolLabel = true }
    }
}

extension TCPLabel {
    /// Whether TCP used the packet for itself.
    fileprivate var isProtocol: Bool {
        switch self {
        case .close, .establish, .reset, .keepAlive, .keepAliveAck, .zeroWindow, .windowUpdate:
            true
        case .none, .data, .ack, .dataDuplicate, .dataRecover, .ackDuplicate, .ackRecover:
            false
        }
    }
}

/// Takes the time of earlier promotions off, walking on with ascending times.
private struct PromotionShift {
    private let promotions: [RadioRange]
    private var next = 0
    private var passed = 0.0

    init(_ promotions: [RadioRange]) {
        self.promotions = promotions
    }

    mutating func seconds(_ time: Double) -> Double {
        while next < promotions.count, promotions[next].end.seconds <= time + 1e-6 {
            passed += promotions[next].end.seconds - promotions[next].start.seconds
            next += 1
        }
        guard next < promotions.count, promotions[next].start.seconds < time else {
            return time - passed
        }
        return time - passed - (time - promotions[next].start.seconds)
    }
}
