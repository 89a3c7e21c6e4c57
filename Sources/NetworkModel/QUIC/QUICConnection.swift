import Quantities
import SimulationKernel
import Trace

/// One QUIC connection: the phone's end and the server's, and the datagrams between them.
final class QUICConnection {
    /// How often a closed end answers with its close again (RFC 9000, 10.2.1 asks for a limit).
    private static let mostCloseAnswers = 3

    /// Counted from one in a run, with those of TCP.
    let number: Int64
    /// Where its network keeps it.
    private(set) var slot = -1
    /// Who pays for its packets now.
    var owner: String {
        didSet { network._withUnsafeGuaranteedRef { $0.noteOwner(owner, of: number, in: slot) } }
    }
    /// Packets vanish from now on, both ways: a fault.
    var isSevered = false {
        didSet { network._withUnsafeGuaranteedRef { $0.sever(number, in: slot) } }
    }
    let phone: QUICEndpoint
    let server: QUICEndpoint
    /// It holds the connection, so it outlives it.
    private let network: Unmanaged<AccessNetwork>
    private let accepts: () -> Internet.Availability
    /// Datagrams on their way, by number; each is taken out where it arrives or is lost.
    private var flying: [Int64: QUICDatagram] = [:]
    private var datagramCount: Int64 = 0
    private var openEnds = 2
    private var isDetached = false
    private var closeAnswers = 0

    /// Makes a connection whose ends do nothing yet.
    init(
        on network: AccessNetwork,
        settings: QUICSettings,
        costs: SecurityCosts,
        owner: String,
        accepts: @escaping () -> Internet.Availability = { .up }
    ) {
        self.network = .passUnretained(network)
        self.owner = owner
        self.accepts = accepts
        number = network.internet.nextConnectionNumber()
        let handshake = QUICHandshake(costs, settings: settings)
        let address = Int32(network.path.address)
        phone = QUICEndpoint(
            simulation: network.simulation,
            settings: settings,
            handshake: handshake,
            isClient: true,
            address: address
        )
        server = QUICEndpoint(
            simulation: network.simulation,
            settings: settings,
            handshake: handshake,
            isClient: false,
            address: address
        )
        slot = network.attach(self)
        phone.link = .passUnretained(self)
        server.link = .passUnretained(self)
    }

    /// Whether the phone believes that it has a route.
    var hasRoute: Bool { network._withUnsafeGuaranteedRef { $0.path.hasRoute } }

    // MARK: Datagrams

    /// Puts a datagram on its way to the other end.
    func send(_ datagram: QUICDatagram, from end: QUICEndpoint) {
        datagramCount += 1
        flying[datagramCount] = datagram
        var packet = Packet()
        packet.kind = .quic
        packet.slot = Int32(slot)
        packet.connection = number
        packet.sequence = datagramCount
        packet.size = Int32(datagram.size + QUICDatagram.headers)
        packet.payload = Int32(datagram.payload)
        packet.isRetransmission = datagram.isRetransmission
        // The phone's packets take its present address; a server's go where it was last heard.
        packet.address = end.address
        network._withUnsafeGuaranteedRef {
            if end.isClient { $0.sendUp(packet) } else { $0.sendDown(packet) }
        }
    }

    /// A packet has vanished on the way.
    func forget(_ packet: Packet) {
        flying[packet.sequence] = nil
        settle()
    }

    /// What a capture shows of a packet.
    func layout(of packet: Packet) -> QUICLayout {
        flying[packet.sequence]?.layout ?? .none
    }

    /// A packet has reached an end.
    func deliver(_ packet: Packet, toPhone: Bool) {
        guard let datagram = flying.removeValue(forKey: packet.sequence) else { return }
        defer { settle() }
        let end = toPhone ? phone : server
        if !toPhone, server.state == .listening {
            guard datagram.packets.first?.space == .initial else { return }
            switch accepts() {
            case .up: break
            case .refusing: return server.sendClose(.refused)
            case .silent: return
            }
        }
        guard end.state == .closed else { return end.take(datagram, from: packet.address) }
        answer(datagram, at: end)
    }

    /// Nobody is here any more: says so again, or that nothing is known (RFC 9000, 10.2 and 10.3).
    private func answer(_ datagram: QUICDatagram, at end: QUICEndpoint) {
        let other = end.isClient ? server : phone
        guard other.state != .closed, !datagram.isStatelessReset else { return }
        if let code = end.closeCode {
            guard closeAnswers < Self.mostCloseAnswers else { return }
            closeAnswers += 1
            return end.sendClose(code)
        }
        // A dead process has no socket; only a server that forgot answers.
        guard !end.isClient, datagram.size > QUICDatagram.resetSize,
            datagram.packets.contains(where: { $0.space == .application && !$0.isEarly })
        else { return }
        var reset = QUICDatagram()
        reset.isStatelessReset = true
        reset.size = QUICDatagram.resetSize
        send(reset, from: end)
    }

    // MARK: The path

    /// The phone has another address.
    func addressChanged(to address: Int) {
        phone.address = Int32(address)
        phone.addressChanged()
    }

    /// There is a route again.
    func routeReturned() {
        phone.routeReturned()
    }

    /// Breaks the cycles between ends and their users, when the network goes.
    func letGoOfUsers() {
        phone.user = nil
        server.user = nil
    }

    /// An end was forgotten; when both are, so is the connection.
    func endpointClosed() {
        openEnds -= 1
        settle()
    }

    /// Takes the connection out once both ends are gone and nothing of it is on its way.
    ///
    /// What is on its way is still counted and captured as what it is. A server that never heard of a phone
    /// that is gone will not: it is forgotten too.
    private func settle() {
        guard flying.isEmpty, !isDetached else { return }
        if phone.state == .closed, server.state == .listening { return server.vanish() }
        guard openEnds == 0 else { return }
        isDetached = true
        network._withUnsafeGuaranteedRef { $0.detach(slot) }
    }
}
