import Quantities
import SimulationKernel
import Trace

/// One TCP connection: the phone's end and the server's, and the way between them.
final class TCPConnection {
    /// Counted from one in a run.
    let number: Int64
    /// Where its network keeps it.
    private(set) var slot = -1
    /// The phone's address that it is bound to.
    let address: Int
    /// Who pays for its packets now.
    var owner: String {
        didSet { network._withUnsafeGuaranteedRef { $0.noteOwner(owner, of: number, in: slot) } }
    }
    /// Packets vanish from now on, both ways: a fault.
    var isSevered = false {
        didSet { network._withUnsafeGuaranteedRef { $0.sever(number, in: slot) } }
    }
    /// The other end is a portal that stands in for the internet.
    let isPortal: Bool
    let phone: TCPEndpoint
    let server: TCPEndpoint
    /// It holds the connection, so it outlives it.
    private let network: Unmanaged<AccessNetwork>
    private var openEnds = 2
    private let accepts: () -> Internet.Availability

    /// Makes a connection whose ends do nothing yet.
    init(
        on network: AccessNetwork,
        settings: TCPSettings,
        owner: String,
        isPortal: Bool = false,
        accepts: @escaping () -> Internet.Availability = { .up }
    ) {
        self.network = .passUnretained(network)
        self.owner = owner
        self.accepts = accepts
        self.isPortal = isPortal
        number = network.internet.nextConnectionNumber()
        address = network.path.address
        phone = TCPEndpoint(
            simulation: network.simulation,
            settings: settings,
            isPhone: true
        )
        server = TCPEndpoint(
            simulation: network.simulation,
            settings: settings,
            isPhone: false
        )
        slot = network.attach(self)
        phone.link = .passUnretained(self)
        server.link = .passUnretained(self)
        server.listen()
    }

    /// Puts a packet on its way to the other end.
    func send(_ packet: Packet, fromPhone: Bool) {
        network._withUnsafeGuaranteedRef {
            if fromPhone { $0.sendUp(packet) } else { $0.sendDown(packet) }
        }
    }

    /// A packet has reached an end.
    func deliver(_ packet: Packet, toPhone: Bool) {
        if toPhone { return take(packet, at: phone, other: server) }
        if server.state == .listening {
            switch accepts() {
            case .up: break
            case .refusing: return reset(answering: packet, fromPhone: false)
            case .silent: return
            }
        }
        take(packet, at: server, other: phone)
    }

    private func take(_ packet: Packet, at end: TCPEndpoint, other: TCPEndpoint) {
        guard end.state == .closed else { return end.take(packet) }
        // Nobody is here any more: anything but a reset is answered by one (RFC 9293, 3.10.7.1).
        guard packet.flags & TCPFlags.reset == 0, other.state != .closed,
            packet.payload > 0 || packet.flags & (TCPFlags.syn | TCPFlags.fin) != 0
        else { return }
        reset(answering: packet, fromPhone: end.isPhone)
    }

    private func reset(answering packet: Packet, fromPhone: Bool) {
        var answer = Packet()
        answer.slot = Int32(slot)
        answer.connection = number
        answer.address = Int32(address)
        answer.size = 40
        answer.sequence = packet.acknowledgement
        answer.acknowledgement =
            packet.sequence + Int64(packet.payload)
            + (packet.flags & TCPFlags.syn != 0 ? 1 : 0)
        answer.flags = TCPFlags.reset | TCPFlags.acknowledge
        send(answer, fromPhone: fromPhone)
    }

    /// The phone's address is gone: its end knows, the server's does not.
    func addressLost() {
        phone.close(.addressLost)
    }

    /// The portal that answered is no more.
    func portalLost() {
        server.vanish()
        phone.close(.reset)
    }

    /// Breaks the cycles between ends and their users, when the network goes.
    func letGoOfUsers() {
        phone.user = nil
        server.user = nil
    }

    /// An end was forgotten; when both are, so is the connection.
    func endpointClosed() {
        openEnds -= 1
        if openEnds == 0 { network._withUnsafeGuaranteedRef { $0.detach(slot) } }
    }
}
