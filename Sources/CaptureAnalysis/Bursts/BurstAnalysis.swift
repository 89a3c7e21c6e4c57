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
    package static func bursts(
        _ packets: [TrafficPacket],
        promotions: [RadioRange] = []
    ) -> [Burst] {
        guard !packets.isEmpty else { return [] }
        let segments = segmentSizes(packets)
        var raw: [ClosedRange<Int>] = []
        var first = 0
        for index in packets.indices.dropFirst() {
            let before = packets[index - 1]
            let isStall = segments.contains(before.payload)
            // Seconds are subtracted as the tools do, so that a gap of 1.5 s falls the same way.
            if packets[index].seconds - before.seconds > Double(gap) / 1e9, !isStall {
                raw.append(first...(index - 1))
                first = index
            }
        }
        raw.append(first...(packets.count - 1))
        let merged = merge(raw, packets, promotions)
        return merged.indices.map { index in
            make(merged[index], next: index + 1 < merged.count ? merged[index + 1] : nil, packets)
        }
    }

    /// Payload sizes that stand for full segments: more than 30 % of those that occur repeatedly.
    static func segmentSizes(_ packets: [TrafficPacket]) -> Set<Int32> {
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
        _ raw: [ClosedRange<Int>],
        _ packets: [TrafficPacket],
        _ promotions: [RadioRange]
    ) -> [ClosedRange<Int>] {
        var shift = PromotionShift(promotions)
        var merged: [ClosedRange<Int>] = []
        var lastEnd = 0.0
        for range in raw {
            let start = shift.seconds(packets[range.lowerBound].seconds)
            let end = shift.seconds(packets[range.upperBound].seconds)
            if let previous = merged.last, start - lastEnd < Double(gap) / 1e9 {
                merged[merged.count - 1] = previous.lowerBound...range.upperBound
            } else {
                merged.append(range)
            }
            lastEnd = end
        }
        return merged
    }

    private static func make(
        _ range: ClosedRange<Int>,
        next: ClosedRange<Int>?,
        _ packets: [TrafficPacket]
    ) -> Burst {
        let last = packets[range.upperBound]
        let payload = packets[range].reduce(Int64(0)) { $0 + Int64($1.payload) }
        var isLong = true
        if let next {
            isLong =
                packets[next.lowerBound].seconds - last.seconds > Double(longGap) / 1e9
        }
        return Burst(
            first: range.lowerBound,
            last: range.upperBound,
            start: packets[range.lowerBound].time,
            end: last.time,
            payload: payload,
            category: category(packets[range], payload: payload),
            isFollowedByLongGap: isLong
        )
    }

    private static func category(
        _ packets: ArraySlice<TrafficPacket>,
        payload: Int64
    ) -> Burst.Category {
        guard let first = packets.first, let last = packets.last else { return .unknown }
        if last.time - first.time > largeDuration, payload > largeSize { return .long }
        if payload == 0 {
            let protocolLabels: Set<TCPLabel> = [
                .close, .establish, .reset, .keepAlive, .keepAliveAck, .zeroWindow, .windowUpdate,
            ]
            if packets.contains(where: { protocolLabels.contains($0.label) }) {
                return .tcpProtocol
            }
            if first.label == .ackRecover || first.label == .ackDuplicate {
                return .tcpLossOrDuplicate
            }
        }
        if first.direction == .down, first.label == .data || first.label == .ack {
            return .serverNetworkDelay
        }
        let repairs: Set<TCPLabel> = [.ackDuplicate, .dataDuplicate, .dataRecover, .ackRecover]
        if repairs.contains(first.label) { return .tcpLossOrDuplicate }
        return payload > 0 ? .clientApp : .unknown
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
