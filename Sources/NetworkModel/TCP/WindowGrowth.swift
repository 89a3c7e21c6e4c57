/// How a congestion window grows, in segments: slow start, then CUBIC or NewReno; for TCP and QUIC.
enum WindowGrowth {
    /// Takes `acknowledged` segments in; `count` holds what makes no whole step yet.
    @inline(__always)
    static func grow(
        window: inout Int,
        count: inout Int,
        threshold: Int,
        by acknowledged: Int,
        control: TCPSettings.CongestionControl,
        cubic: CubicWindow,
        now: Int64
    ) {
        var acknowledged = acknowledged
        if window < threshold {
            let grown = min(window + acknowledged, threshold)
            acknowledged -= grown - window
            window = grown
            guard acknowledged > 0 else { return }
        }
        let perIncrement: Int
        switch control {
        case .cubic:
            perIncrement = cubic.segmentsPerIncrement(
                at: window,
                acknowledged: acknowledged,
                now: now
            )
        case .newReno:
            perIncrement = window
        }
        if count >= perIncrement {
            count = 0
            window += 1
        }
        count += acknowledged
        if count >= perIncrement {
            let steps = count / perIncrement
            count -= steps * perIncrement
            window += steps
        }
    }
}
