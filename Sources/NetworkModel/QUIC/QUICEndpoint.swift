import Quantities
import SimulationKernel
import Trace

/// What uses one end of a QUIC connection: told of streams, never of packets.
protocol QUICEndpointUser: AnyObject {
    /// Streams may be written: early, which only safe requests may use, or for good.
    func opened(_ endpoint: QUICEndpoint, isEarly: Bool)
    /// All bytes of a stream before `offset` have arrived.
    func received(_ endpoint: QUICEndpoint, stream: Int, upTo offset: Int64)
    /// Bytes of some stream have arrived at the peer.
    func acknowledged(_ endpoint: QUICEndpoint)
    /// The peer has given a stream up.
    func streamReset(_ endpoint: QUICEndpoint, stream: Int)
    /// The connection is gone, and why.
    func closed(_ endpoint: QUICEndpoint, _ reason: QUICClosing)
    /// Whether an answer is awaited, so that the connection is to be kept alive.
    var awaitsAnswers: Bool { get }
}

/// Why an end of a QUIC connection is gone.
enum QUICClosing {
    /// The peer closed it in good order.
    case finished
    /// The peer broke off, or does not know the connection.
    case reset
    /// Nobody serves there.
    case refused
    /// Nothing was heard for the idle time.
    case silent
    /// The phone's address is no more, and the connection does not migrate.
    case addressLost
}

/// One end of a QUIC connection: RFC 9000 with TLS 1.3 (RFC 9001) and loss recovery of RFC 9002.
///
/// Packets are whole and opaque; keys are flags that say what may be read yet. Not modelled: Retry,
/// version negotiation, key updates, path MTU discovery, pacing, ECN, rejected early data. Sending,
/// receiving, recovery, streams, paths and timers are in extensions. Times are nanoseconds.
final class QUICEndpoint: EventReceiver {
    enum State {
        case listening
        case opening
        /// The handshake is complete at this end.
        case open
        case closed
    }

    enum Timer: Int, CaseIterable {
        case loss
        case acknowledgement
        case idle
        case keepAlive
    }

    let isClient: Bool
    let settings: QUICSettings
    let times: QUICTimes
    let handshake: QUICHandshake
    let simulation: Simulation
    /// Set once, right after both ends are made; outlives this end's last packet.
    var link: Unmanaged<QUICConnection>?
    /// Held until the end is closed; the network lets go of it in its `deinit`.
    var user: (any QUICEndpointUser)?
    var state = State.listening
    let spaces = QUICSpaceName.allCases.map { QUICSpace($0) }
    /// Both ends know that the handshake is complete (RFC 9001, 4.1.2).
    var isConfirmed = false
    /// The server may hold itself back no more, as far as the client knows (RFC 9002, A.8).
    var knowsValidation = false
    /// Packets that came before their keys.
    var buffered: [QUICPacket] = []
    var isTaking = false
    var closeCode: QUICCloseCode?

    // Recovery.
    var roundTrip: QUICRoundTrip
    var congestion: QUICCongestion
    var bytesInFlight = 0
    var probeCount = 0
    /// Datagrams that may go whatever the window says.
    var probesLeft = 0
    var pings: [Bool] = [false, false, false]
    var isWindowLimited = false

    // The path.
    var path = 0
    /// Where the server sends to.
    var address: Int32
    var isPathValidated: Bool
    var pathReceived = 0
    var pathSent = 0
    var challengeCount = 0
    var awaitedChallenge: Int?
    var owedChallenge: Int?
    var owedResponse: Int?

    // Streams.
    var streams: [QUICStream] = []
    var highestStream = 0
    var turn = 0
    var peerMaxData: Int64
    var sentData: Int64 = 0
    var announcedMaxData: Int64
    var receivedData: Int64 = 0
    var consumedData: Int64 = 0

    // What is owed to the peer.
    var owesHandshakeDone = false
    var owesConnectionIDs = false
    var owesMaxData = false
    var owedResets: [Int] = []
    var owedStreamLimits: [Int] = []

    // Timers.
    var timers = [LazyTimer](repeating: LazyTimer(), count: Timer.allCases.count)
    var lastHeardAt: Int64 = 0
    var lastSentAt: Int64 = 0
    var hasSentSinceHeard = false
    var idleSince: Int64 = 0

    init(
        simulation: Simulation,
        settings: QUICSettings,
        handshake: QUICHandshake,
        isClient: Bool,
        address: Int32
    ) {
        self.simulation = simulation
        self.settings = settings
        self.handshake = handshake
        self.isClient = isClient
        self.address = address
        times = QUICTimes(settings)
        roundTrip = QUICRoundTrip(initial: times.initialRoundTrip)
        congestion = QUICCongestion(settings, now: simulation.instant.nanoseconds)
        isPathValidated = isClient
        knowsValidation = !isClient
        peerMaxData = settings.connectionWindow
        announcedMaxData = settings.connectionWindow
        streams = [QUICStream(0, window: settings.streamWindow)]
    }

    @inline(__always)
    func withConnection<Value>(_ body: (QUICConnection) -> Value) -> Value {
        guard let link else { preconditionFailure("an end without a connection sends nothing") }
        return link._withUnsafeGuaranteedRef(body)
    }

    var now: Int64 { simulation.instant.nanoseconds }
    var initial: QUICSpace { spaces[0] }
    var handshaking: QUICSpace { spaces[1] }
    var application: QUICSpace { spaces[2] }
    var isOver: Bool { state == .closed || state == .listening }

    // MARK: The handshake

    /// Sends the first flight.
    func connect() {
        state = .opening
        lastHeardAt = now
        idleSince = now
        initial.hasKeys = true
        initial.crypto.write(handshake.clientHello)
        armIdle()
        if handshake.isEarly {
            application.hasKeys = true
            isTaking = true
            user?.opened(self, isEarly: true)
            isTaking = false
        }
        sendPending()
    }

    /// Handshake bytes have arrived: keys may be there now.
    func advanceHandshake() {
        if isClient { advanceClient() } else { advanceServer() }
    }

    private func advanceClient() {
        if initial.cryptoReceived.inOrder >= QUICHandshake.serverHello, !handshaking.isDiscarded {
            handshaking.hasKeys = true
        }
        if state == .opening, handshaking.cryptoReceived.inOrder >= handshake.serverRest {
            state = .open
            application.hasKeys = true
            handshaking.crypto.write(QUICHandshake.clientFinished)
            owesConnectionIDs = true
            user?.opened(self, isEarly: false)
        }
    }

    private func advanceServer() {
        if !handshaking.hasKeys, !handshaking.isDiscarded,
            initial.cryptoReceived.inOrder >= handshake.clientHello
        {
            handshaking.hasKeys = true
            application.hasKeys = true
            initial.crypto.write(QUICHandshake.serverHello)
            handshaking.crypto.write(handshake.serverRest)
            user?.opened(self, isEarly: true)
        }
        if state == .opening,
            handshaking.cryptoReceived.inOrder >= QUICHandshake.clientFinished
        {
            state = .open
            isConfirmed = true
            discard(handshaking)
            owesHandshakeDone = true
            owesConnectionIDs = true
            application.crypto.write(handshake.tickets)
            user?.opened(self, isEarly: false)
        }
    }

    /// The server has said that the handshake is done.
    func confirm() {
        guard isClient, state == .open, !isConfirmed else { return }
        isConfirmed = true
        knowsValidation = true
        discard(handshaking)
    }

    /// Forgets a space's keys and what is in flight there.
    func discard(_ space: QUICSpace) {
        guard !space.isDiscarded else { return }
        bytesInFlight -= space.discard(path: path)
        probeCount = 0
    }

    /// Whether packets of the space may be sent now.
    func maySend(_ space: QUICSpace) -> Bool { space.hasKeys && !space.isDiscarded }

    /// Whether a packet can be read now (RFC 9001, 5.7: a server reads 1-RTT packets after Finished).
    func mayRead(_ packet: QUICPacket) -> Bool {
        guard packet.space == .application else { return spaces[packet.space.rawValue].hasKeys }
        return packet.isEarly ? application.hasKeys : state == .open
    }

    // MARK: The end

    /// Closes it; the peer is told, if one packet gets through.
    func close(_ code: QUICCloseCode) {
        guard state != .closed else { return }
        if state != .listening { sendClose(code) }
        closeCode = code
        vanish()
    }

    /// Forgets it; nobody is told.
    func vanish() {
        guard state != .closed else { return }
        state = .closed
        cancelTimers()
        user = nil
        withConnection { $0.endpointClosed() }
    }

    /// It is gone: the user learns why.
    func end(_ reason: QUICClosing) {
        let told = user
        vanish()
        told?.closed(self, reason)
    }
}
