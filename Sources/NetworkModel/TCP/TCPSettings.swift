import Quantities

/// What both ends of a TCP connection are set to; the defaults are those of Linux 6.x.
///
/// Names in parentheses are Linux's own; values were read from a running 6.18 kernel where
/// `data/tcp/README.md` lists them, and are otherwise those of the RFC that is named.
package struct TCPSettings: Sendable, Equatable {
    /// How the window grows after slow start.
    package enum CongestionControl: String, Sendable, CaseIterable {
        /// RFC 9438, as Linux rounds it, with its Reno-friendly region and HyStart.
        case cubic
        /// RFC 5681: half on loss, one segment a round trip.
        case newReno
    }

    /// The algorithm.
    package var congestionControl = CongestionControl.cubic
    /// Payload of a full packet: 1,500 less 40 of headers and 12 of timestamps.
    package var segmentSize = 1_448
    /// Segments in the first flight (RFC 6928).
    package var initialWindow = 10
    /// The least variance term of the retransmission timeout (tcp_rto_min_us).
    package var timeoutFloor = Duration.milliseconds(200)
    /// The longest timeout (TCP_RTO_MAX).
    package var timeoutCeiling = Duration.seconds(120)
    /// The first timeout of a SYN (RFC 6298, 2.1).
    package var synTimeout = Duration.seconds(1)
    /// SYN timeouts that do not double (tcp_syn_linear_timeouts, since 6.5).
    package var linearSynTimeouts = 4
    /// SYNs sent again before the connection is given up (tcp_syn_retries).
    package var synRetries = 6
    /// Timeouts in a row before an open connection is given up (tcp_retries2).
    package var dataRetries = 15
    /// The shortest wait of a delayed acknowledgement (TCP_DELACK_MIN).
    package var shortestAckDelay = Duration.milliseconds(40)
    /// The longest (TCP_DELACK_MAX).
    package var longestAckDelay = Duration.milliseconds(200)
    /// Acknowledgements sent at once at the start and after trouble (TCP_MAX_QUICKACKS).
    package var quickAcknowledgements = 16
    /// The first receive window; grows by two segments for each that arrives.
    package var initialReceiveWindow = 64_240
    /// The largest receive window (half of tcp_rmem's third figure, 6 MiB in most kernels; assumption).
    package var largestReceiveWindow = 6 << 20
    /// Whether slow start leaves early on rising delay or on a long train of acknowledgements.
    package var usesHyStart = true
    /// Whether an idle connection begins again with a small window (tcp_slow_start_after_idle).
    package var restartsAfterIdle = true
    /// Silence before a keep-alive probe is sent; nil for none.
    ///
    /// Linux waits 2 h where a program asks for keep-alive.
    package var keepAliveIdle: Duration?
    /// Time between probes (tcp_keepalive_intvl).
    package var keepAliveInterval = Duration.seconds(75)
    /// Unanswered probes before the connection is given up (tcp_keepalive_probes).
    package var keepAliveProbes = 9
    /// The kernel's timer tick (HZ = 250); timers fire late by up to one, longer ones by up to eight.
    package var timerTick = Duration.milliseconds(4)

    /// Makes the default settings.
    package init() {}
}

/// The times of `TCPSettings` in nanoseconds, taken out once for the inner loops.
struct TCPTimes {
    let timeoutFloor: Int64
    let timeoutCeiling: Int64
    let synTimeout: Int64
    let shortestAckDelay: Int64
    let longestAckDelay: Int64
    let keepAliveIdle: Int64?
    let keepAliveInterval: Int64
    let tick: Int64

    init(_ settings: TCPSettings) {
        timeoutFloor = settings.timeoutFloor.wholeNanoseconds
        timeoutCeiling = settings.timeoutCeiling.wholeNanoseconds
        synTimeout = settings.synTimeout.wholeNanoseconds
        shortestAckDelay = settings.shortestAckDelay.wholeNanoseconds
        longestAckDelay = settings.longestAckDelay.wholeNanoseconds
        keepAliveIdle = settings.keepAliveIdle?.wholeNanoseconds
        keepAliveInterval = settings.keepAliveInterval.wholeNanoseconds
        tick = settings.timerTick.wholeNanoseconds
    }
}
