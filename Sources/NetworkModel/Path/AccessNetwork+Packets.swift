import Quantities
import SimulationKernel
import Trace

/// The way of each packet: who takes it next, and where it may vanish.
extension AccessNetwork {
    private static let crossingTag = Fingerprint.tag("packet crossing")

    /// How long a name lookup takes in this phase, when it is not cached.
    var nameLookup: Duration { timeline.phase.nameLookup }
    /// What buffers requests in this phase.
    var proxy: ProxySettings? { timeline.phase.proxy }
    /// Propagation there and back in this phase.
    var roundTrip: Duration { timeline.phase.rtt }

    /// Takes a packet from the phone.
    func sendUp(_ packet: Packet) {
        guard path.condition != .down else { return lost(packet, .up, .pathDown) }
        var packet = packet
        packet.address = Int32(path.address)
        noteOwner(&packet)
        guard up.accept(packet) else { return lost(packet, .up, .queueFull) }
    }

    /// Takes a packet from a server.
    func sendDown(_ packet: Packet) {
        var packet = packet
        noteOwner(&packet)
        inbound.accept(packet)
    }

    private func noteOwner(_ packet: inout Packet) {
        guard packet.isOfConnection, isCurrent(packet) else { return }
        packet.owner = slots[Int(packet.slot)].owner
    }

    func readiness(of packet: Packet, _ direction: PacketDirection) -> SimulationInstant {
        modem.readiness(
            direction,
            size: Int(packet.size),
            owner: owner(of: packet),
            at: simulation.instant
        )
    }

    /// A packet's last bit has left the bottleneck.
    func transmitted(_ packet: Packet, _ direction: PacketDirection) {
        let now = simulation.instant.nanoseconds
        if packet.kind == .ideal { return transmittedIdeal(packet, direction) }
        switch direction {
        case .up:
            cross(packet, .up)
            if isSwallowed(packet) { return lost(packet, .up, .blackhole) }
            if lossUp.loses(at: now) || chosenLoss?(packet, .up) == true {
                return lost(packet, .up, .random)
            }
            outbound.accept(packet)
        case .down:
            if lossDown.loses(at: now) || chosenLoss?(packet, .down) == true {
                return lost(packet, .down, .random)
            }
            if path.condition == .down { return lost(packet, .down, .pathDown) }
            cross(packet, .down)
            deliver(packet, toPhone: true)
        }
    }

    private func transmittedIdeal(_ packet: Packet, _ direction: PacketDirection) {
        if packet.size > 0 { cross(packet, direction) }
        if direction == .up {
            outbound.accept(packet)
            ideals[Int(packet.slot)]?.transmitted(.up)
        } else {
            deliver(packet, toPhone: true)
        }
    }

    /// A packet was cut while it was sent: the part that had left has crossed.
    func crossPart(_ packet: Packet, _ direction: PacketDirection, size: Int) {
        guard size > 0 else { return }
        var part = packet
        part.size = Int32(size)
        part.payload = Int32(size)
        cross(part, direction)
    }

    /// A packet has come to the other end of its propagation.
    func arrived(_ packet: Packet, _ direction: PacketDirection) {
        guard direction == .down else { return deliver(packet, toPhone: false) }
        if path.condition == .down { return lost(packet, .down, .pathDown) }
        if packet.address != Int32(path.address) { return lost(packet, .down, .oldAddress) }
        if isSwallowed(packet) { return lost(packet, .down, .blackhole) }
        guard down.accept(packet) else {
            return lost(packet, .down, .queueFull)
        }
    }

    /// Reports a packet that vanished.
    func lost(_ packet: Packet, _ direction: PacketDirection, _ cause: PacketLoss.Cause) {
        if packet.kind == .quic, isCurrent(packet) {
            slots[Int(packet.slot)].quic?.forget(packet)
        }
        observations.report(
            .packetLost(
                PacketLoss(
                    direction: direction,
                    size: Int(packet.size),
                    connection: packet.connection,
                    cause: cause
                )
            ),
            at: simulation.instant,
            device: device
        )
    }

    private func isSwallowed(_ packet: Packet) -> Bool {
        switch path.condition {
        case .up, .down:
            return packet.isOfConnection && isCurrent(packet)
                && slots[Int(packet.slot)].isSevered
        case .blackhole:
            return true
        case .captive:
            return packet.isOfConnection
                && !(isCurrent(packet) && slots[Int(packet.slot)].isPortal)
        }
    }

    private func cross(_ packet: Packet, _ direction: PacketDirection) {
        let crossing = PacketCrossing(
            direction: direction,
            size: Int(packet.size),
            payload: Int(packet.payload),
            connection: packet.connection,
            sequence: packet.sequence,
            acknowledgement: packet.acknowledgement,
            flags: packet.flags,
            isRetransmission: packet.isRetransmission,
            window: Int64(packet.window),
            isMetered: path.isMetered,
            owner: owner(of: packet),
            quic: packet.kind == .quic ? layout(of: packet) : .none
        )
        modem.crossed(crossing, at: simulation.instant)
        observations.report(crossing, at: simulation.instant, device: device)
        simulation.note(Self.crossingTag, UInt64(bitPattern: packet.sequence), UInt64(packet.size))
    }

    private func layout(of packet: Packet) -> QUICLayout {
        guard isCurrent(packet) else { return .none }
        return slots[Int(packet.slot)].quic?.layout(of: packet) ?? .none
    }

    private func owner(of packet: Packet) -> String {
        switch packet.kind {
        case .tcp, .quic:
            owners[Int(isCurrent(packet) ? slots[Int(packet.slot)].owner : packet.owner)]
        case .datagram: resolver?.owner(ofLookup: Int(packet.slot)) ?? ""
        case .ideal: ideals[Int(packet.slot)]?.owner ?? ""
        }
    }

    /// Whether the packet's slot still belongs to its connection.
    private func isCurrent(_ packet: Packet) -> Bool {
        slots[Int(packet.slot)].number == packet.connection
    }

    private func deliver(_ packet: Packet, toPhone: Bool) {
        switch packet.kind {
        case .tcp:
            guard isCurrent(packet) else { return }
            slots[Int(packet.slot)].connection?.deliver(packet, toPhone: toPhone)
        case .quic:
            guard isCurrent(packet) else { return }
            slots[Int(packet.slot)].quic?.deliver(packet, toPhone: toPhone)
        case .datagram:
            resolver?.deliver(packet, toPhone: toPhone)
        case .ideal:
            ideals[Int(packet.slot)]?.deliver(packet, toPhone: toPhone)
        }
    }
}
