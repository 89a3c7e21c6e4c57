import Quantities
import Trace

/// The RLC queues while on FACH: above a threshold, the network grants DCH.
struct FachQueue {
    private var up: Int64 = 0
    private var down: Int64 = 0
    private var upTime = Self.never
    private var downTime = Self.never

    /// A thousand seconds before the beginning.
    private static let never = RadioTime(nanoseconds: -1_000_000_000_000)

    mutating func clear() {
        self = FachQueue()
    }

    /// Adds a packet to what has not drained; says whether a queue is above its threshold.
    mutating func add(
        _ use: RadioUse,
        _ parameters: SharedChannelParameters,
        _ edges: RadioEdges
    ) -> Bool {
        if use.direction == .up {
            let drain = parameters.uplinkDrain.span(of: up)
            if edges.isLess(drain, use.start - upTime) { up = 0 }
            up += use.bytes
            upTime = use.start
        } else {
            let drain = parameters.downlinkDrain.span(of: down)
            if edges.isLess(drain, use.start - downTime) { down = 0 }
            down += use.bytes
            downTime = use.start
        }
        return down > parameters.downlinkThreshold || up > parameters.uplinkThreshold
    }
}

/// Decides which packets restart the DCH timer: enough bytes within a window.
struct DchQueue {
    private var up: Int64 = 0
    private var down: Int64 = 0
    private var upTime = Self.never
    private var downTime = Self.never
    /// The last packet.
    private(set) var last = RadioTime.zero
    /// The last restart of the timer.
    private(set) var reset = RadioTime.zero

    /// 9,999 seconds before the beginning, as the published tool has it.
    private static let never = RadioTime(nanoseconds: -9_999_000_000_000)

    /// The radio comes to DCH with this packet.
    mutating func begin(_ use: RadioUse) {
        self = DchQueue()
        if use.direction == .up {
            up = use.bytes
            upTime = use.start
        } else {
            down = use.bytes
            downTime = use.start
        }
        last = use.start
        reset = use.start
    }

    /// Another packet on DCH.
    mutating func add(
        _ use: RadioUse,
        _ parameters: SharedChannelParameters,
        _ edges: RadioEdges
    ) {
        let window = RadioTime(parameters.resetWindow)
        let time = use.start
        let upIsOld = edges.isLess(upTime + window, time)
        let downIsOld = edges.isLess(downTime + window, time)
        if use.direction == .up {
            up = upIsOld ? use.bytes : up + use.bytes
            if downIsOld { down = 0 }
            upTime = time
        } else {
            down = downIsOld ? use.bytes : down + use.bytes
            if upIsOld { up = 0 }
            downTime = time
        }
        last = time
        if up >= parameters.resetSize || down >= parameters.resetSize { reset = time }
    }
}
