import Quantities
import SimulationKernel
import Trace

/// What uses one end of a connection: told of the stream, never of packets.
protocol TCPEndpointUser: AnyObject {
    /// The handshake is done; bytes may be written.
    func opened(_ endpoint: TCPEndpoint)
    /// All bytes of the peer's stream before `offset` have arrived in order.
    func received(_ endpoint: TCPEndpoint, upTo offset: Int64)
    /// The peer has all bytes of this stream before `offset`.
    func acknowledged(_ endpoint: TCPEndpoint, upTo offset: Int64)
    /// The peer will send no more.
    func peerFinished(_ endpoint: TCPEndpoint)
    /// The connection is gone, and why.
    func closed(_ endpoint: TCPEndpoint, _ reason: TCPClosing)
}

/// Why an end of a connection is gone.
enum TCPClosing {
    /// Both sides have sent a FIN.
    case finished
    /// A reset arrived.
    case reset
    /// A reset answered the SYN.
    case refused
    /// Retransmissions, or keep-alive probes, were given up.
    case timedOut
    /// The phone's address is no more.
    case addressLost
}

/// One end of a TCP connection, segment by segment, as Linux 6.x does it.
///
/// Sequence numbers are relative: the SYN is 0, the stream's first byte 1. Times are nanoseconds.
/// Sending, acknowledging, recovery, receiving and timers are in extensions of their own.
final class TCPEndpoint: EventReceiver {
    enum State {
        case closed
        case listening
        case synSent
        case synReceived
        case established
    }

    /// The sender's view of congestion (Linux's `icsk_ca_state`).
    enum Congestion {
        case open
        /// Something is missing or was sent again, but nothing is lost yet.
        case disorder
        /// The window is being reduced without a loss to repair.
        case reduced
        /// Segments are lost and sent again.
        case recovery
        /// A timeout was needed.
        case loss
    }

    enum Timer: UInt64 {
        case retransmission = 0
        case delayedAcknowledgement = 1
        case compressedAcknowledgement = 2
        case keepAlive = 3
    }

    /// What the retransmission timer is set for.
    enum Pending {
        case nothing
        case retransmission
        case lossProbe
        case reordering
        case windowProbe
    }

    let settings: TCPSettings
    let times: TCPTimes
    let isPhone: Bool
    /// Set once, right after both ends are made; outlives this end's last packet.
    var link: Unmanaged<TCPConnection>?
    let simulation: Simulation
    /// Held until the end is closed; the network lets go of it in its `deinit`.
    var user: (any TCPEndpointUser)?
    var state = State.closed

    // Sending.
    var unacknowledged: Int64 = 0
    var next: Int64 = 0
    /// One past the last byte written, as a sequence number.
    var written: Int64 = 1
    var finishRequested = false
    var finishSent = false
    let board = Scoreboard()
    var sackedOut = 0
    var lostOut = 0
    var resentOut = 0
    var peerWindowEnd: Int64 = 0
    var peerWindow: Int64 = 0
    var lastSendAt: Int64 = 0
    var retransmitHint: Int32 = 0
    var sackCache: [(lower: Int64, upper: Int64)] = []
    var highestSacked: Int64 = 0

    // Congestion.
    var congestion = Congestion.open
    var window: Int
    var windowCount = 0
    var threshold = Int.max
    let cubic = CubicWindow()
    var priorWindow = 0
    var priorThreshold = 0
    var reductionDelivered = 0
    var reductionSent = 0
    var highMark: Int64 = 0
    var isWindowLimited = false
    var largestFlight = 0
    var usageMark: Int64 = 0
    var delivered = 0
    /// When the peer last acknowledged a segment, in order or not.
    var deliveredAt: Int64 = -1
    var lostTotal = 0

    // Undo and F-RTO.
    var undoMarker: Int64 = -1
    var undoResent = 0
    var resendStamp: Int64 = -1
    var probesNewData = false

    // RACK and tail loss probes (RFC 8985).
    var rackSentAt: Int64 = 0
    var rackEnd: Int64 = 0
    var rackRoundTrip: Int64 = 0
    var rackAdvanced = false
    var sawReordering = false
    var reorderingSteps: Int64 = 1
    var reorderingPersistence = 16
    var sawDuplicateReport = false
    var duplicateReportMark = 0
    var probeMark: Int64 = -1
    var probeWasResend = false

    // Timers.
    let roundTrip: RoundTripEstimator
    var backoff = 0
    var timeouts = 0
    var pending = Pending.nothing
    let timers: UnsafeMutablePointer<LazyTimer>
    static let timerCount = 4

    // Receiving.
    var received: Int64 = 0
    var lastAcknowledged: Int64 = 0
    var consumed: Int64 = 1
    var reassembly = ReassemblyQueue()
    var peerFinish: Int64 = -1
    var sawPeerFinish = false
    var receiveAllowance: Int
    var announcedEnd: Int64 = 0
    var recentTimestamp: Int64 = 0
    /// The timestamp that the segment in hand answers.
    var peerEcho: Int64 = 0
    let acknowledgement = DelayedAcknowledgement()
    var lastHeardAt: Int64 = 0
    /// When bytes last arrived behind a gap.
    var gapArrivalAt: Int64 = -1
    var isOrphan = false
    /// SYNs, or answers to one, that were sent again.
    var synResent = 0
    var openingSentAt: Int64 = -1
    var keepAliveUnanswered = 0
    var toldAcknowledged: Int64 = 0

    init(simulation: Simulation, settings: TCPSettings, isPhone: Bool) {
        self.simulation = simulation
        self.settings = settings
        self.isPhone = isPhone
        times = TCPTimes(settings)
        timers = .allocate(capacity: Self.timerCount)
        timers.initialize(repeating: LazyTimer(), count: Self.timerCount)
        window = settings.initialWindow
        receiveAllowance = settings.initialReceiveWindow
        roundTrip = RoundTripEstimator(
            initialTimeout: times.synTimeout,
            floor: times.timeoutFloor,
            ceiling: times.timeoutCeiling
        )
    }

    deinit {
        timers.deallocate()
    }

    @inline(__always)
    func withConnection<Value>(_ body: (TCPConnection) -> Value) -> Value {
        guard let link else { preconditionFailure("an end without a connection sends nothing") }
        return link._withUnsafeGuaranteedRef(body)
    }

    var now: Int64 { simulation.instant.nanoseconds }

    /// Segments believed to be on their way (RFC 6675's pipe).
    var inFlight: Int { Int(board.count) - sackedOut - lostOut + resentOut }

    var isInSlowStart: Bool { window < threshold }
    var isReducing: Bool { congestion == .reduced || congestion == .recovery }

    /// Bytes written that were not sent yet.
    var unsent: Int64 { written - max(next, 1) }

    /// Bytes written that the peer does not have yet.
    var unacknowledgedBytes: Int { Int(written - max(unacknowledged, 1)) }

    /// When the peer last had news of bytes that it got, in order or behind a gap.
    var lastDelivery: SimulationInstant? {
        deliveredAt < 0 ? nil : SimulationInstant(nanoseconds: deliveredAt)
    }

    /// Offsets of the streams, without SYN and FIN.
    var writtenOffset: Int64 { written - 1 }

    // MARK: The user's verbs

    /// Adds bytes to the stream and sends what the windows allow.
    func write(_ count: Int64) {
        append(count)
        sendPending()
    }

    /// Adds bytes to the stream that more will follow: `sendPending` sends them together.
    func append(_ count: Int64) {
        precondition(!finishRequested, "a stream that was finished takes no more bytes")
        restartAfterIdle()
        written += count
    }

    /// Ends the stream: a FIN goes after what was written.
    func finish() {
        guard !finishRequested, state != .closed else { return }
        finishRequested = true
        sendPending()
    }

    /// Breaks the connection: the peer is told by a reset.
    func abort() {
        guard state != .closed else { return }
        if state != .listening, state != .synSent {
            sendControl(TCPFlags.reset | TCPFlags.acknowledge)
        }
        vanish()
    }

    /// Forgets the connection; nobody is told.
    func vanish() {
        guard state != .closed else { return }
        state = .closed
        cancelTimers()
        user = nil
        withConnection { $0.endpointClosed() }
    }

    /// The user has taken all bytes before `offset`; the window opens again.
    func consume(upTo offset: Int64) {
        let before = advertisedWindow
        consumed = max(consumed, offset + 1)
        guard state == .established, before < settings.segmentSize * 2,
            advertisedWindow >= settings.segmentSize * 2
        else { return }
        sendAcknowledgement()
    }

    func close(_ reason: TCPClosing) {
        let told = user
        vanish()
        told?.closed(self, reason)
    }
}
