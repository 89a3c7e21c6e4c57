import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// One phone's way to the internet: plays the conditions, carries packets, reports crossings.
///
/// Up: phone, radio (it may have to wake), queue, rate, crossing of the air, random loss,
/// propagation, server. Down: server, propagation, queue at the base station, radio, rate, random
/// loss, crossing, phone. So a packet lost on its way up has crossed; one lost on its way down has not.
package final class AccessNetwork: EventReceiver {
    /// The simulation that it lives in.
    package let simulation: Simulation
    /// The hosts at the other end.
    package let internet: Internet
    /// The device that observations are reported for.
    package let device: Int
    /// The path now.
    package private(set) var path: PathSnapshot

    let observations: ObservationStream
    private let modems: ModemSet
    private var modem: any Modem
    private var timeline: PathTimeline
    private var observers: [(number: Int, call: (PathSnapshot) -> Void)] = []
    private var observerCount = 0
    private var lossUp: LossProcess
    private var lossDown: LossProcess
    private var links: Links?
    private var connections: [TCPConnection?] = []
    private var freeSlots: [Int] = []
    private var ideals: [IdealExchange?] = []
    /// Loses chosen packets after the bottleneck, beside what the model loses: for tests of recovery.
    var chosenLoss: ((Packet, PacketDirection) -> Bool)?
    private var changeEvent = EventHandle.none
    private var resolver: NameResolver?
    private var interceptions: [ArmedInterception] = []

    private struct Links {
        let up: Bottleneck
        let down: Bottleneck
        let outbound: Propagation
        let inbound: Propagation
    }

    /// Builds the way and starts to play `conditions` at the present instant.
    ///
    /// The name keys the random streams, with the device: give each phone its own.
    package init(
        simulation: Simulation,
        conditions: NetworkConditions,
        internet: Internet,
        modems: ModemSet,
        observations: ObservationStream,
        device: Int = 0,
        name: String = "network"
    ) {
        self.simulation = simulation
        self.internet = internet
        self.device = device
        self.observations = observations
        self.modems = modems
        timeline = PathTimeline(conditions, start: simulation.instant)
        let phase = conditions.phases[0]
        modem = modems[phase.interface]
        path = PathSnapshot(
            phase: phase.name,
            interface: phase.interface,
            condition: timeline.condition(at: simulation.instant),
            isMetered: phase.isMetered,
            address: 0
        )
        let entity = "\(name)/\(device)"
        let now = simulation.instant.nanoseconds
        lossUp = LossProcess(
            phase.up.loss,
            lossDraws: simulation.stream("loss", entity: entity, purpose: "up"),
            stateDraws: simulation.stream("fading", entity: entity, purpose: "up"),
            at: now
        )
        lossDown = LossProcess(
            phase.down.loss,
            lossDraws: simulation.stream("loss", entity: entity, purpose: "down"),
            stateDraws: simulation.stream("fading", entity: entity, purpose: "down"),
            at: now
        )
        let jitterUp = simulation.stream("jitter", entity: entity, purpose: "up")
        let jitterDown = simulation.stream("jitter", entity: entity, purpose: "down")
        links = Links(
            up: Bottleneck(.up, of: self, simulation: simulation, link: phase.up),
            down: Bottleneck(.down, of: self, simulation: simulation, link: phase.down),
            outbound: Propagation(.up, of: self, simulation: simulation, draws: jitterUp),
            inbound: Propagation(.down, of: self, simulation: simulation, draws: jitterDown)
        )
        resolver = NameResolver(of: self, simulation: simulation)
        applyDelays()
        report(addressChanged: false)
        scheduleNextChange()
    }

    deinit {
        for connection in connections { connection?.letGoOfUsers() }
    }

    // MARK: The path

    /// Calls `observer` after each change of the path, until it is removed.
    @discardableResult
    package func observePath(_ observer: @escaping (PathSnapshot) -> Void) -> PathObserver {
        observerCount += 1
        observers.append((observerCount, observer))
        return PathObserver(number: observerCount)
    }

    /// Takes an observer back.
    package func removePathObserver(_ observer: PathObserver) {
        observers.removeAll { $0.number == observer.number }
    }

    /// Interrupts the path from now on for `duration`, on top of what the phase says.
    package func interrupt(_ kind: PathInterruption.Kind, for duration: Duration) {
        timeline.impose(kind, until: simulation.instant + duration)
        refresh()
    }

    /// Ends every interruption that came from outside the conditions.
    package func heal() {
        timeline.liftImpositions()
        refresh()
    }

    /// Breaks every open connection at once, as when the phone gets another address.
    ///
    /// The phone knows; the servers are not told.
    package func dropConnections() {
        changeAddress()
        report(addressChanged: true)
        for observer in observers { observer.call(path) }
    }

    /// Plays the next change of the conditions.
    package func receive(_ payload: UInt64, at instant: SimulationInstant) {
        refresh()
    }

    private func refresh() {
        let before = path
        var losesAddress = false
        while timeline.advance(to: simulation.instant) {
            enterPhase()
            losesAddress = losesAddress || timeline.phase.handover?.newAddress == true
        }
        path.condition = timeline.condition(at: simulation.instant)
        if losesAddress { changeAddress() }
        if before.condition == .captive, path.condition != .captive {
            for connection in connections where connection?.isPortal == true {
                connection?.portalLost()
            }
        }
        if path.condition == .down, before.condition != .down {
            links?.up.flush(.pathDown)
            for exchange in ideals { exchange?.broke() }
        }
        if path != before {
            report(addressChanged: path.address != before.address)
            for observer in observers { observer.call(path) }
        }
        scheduleNextChange()
    }

    private func enterPhase() {
        let phase = timeline.phase
        path.phase = phase.name
        path.interface = phase.interface
        path.isMetered = phase.isMetered
        modem = modems[phase.interface]
        let now = simulation.instant.nanoseconds
        lossUp = lossUp.continued(with: phase.up.loss, at: now)
        lossDown = lossDown.continued(with: phase.down.loss, at: now)
        links?.up.change(to: phase.up)
        links?.down.change(to: phase.down)
        applyDelays()
    }

    private func applyDelays() {
        let phase = timeline.phase
        let roundTrip = phase.rtt.wholeNanoseconds
        let jitter = phase.jitter.wholeNanoseconds
        links?.outbound.change(delay: roundTrip / 2, jitter: jitter)
        links?.inbound.change(delay: roundTrip - roundTrip / 2, jitter: jitter)
    }

    private func changeAddress() {
        path.address += 1
        resolver?.forgetNames()
        links?.up.flush(.oldAddress)
        links?.down.flush(.oldAddress)
        for connection in connections { connection?.addressLost() }
        for exchange in ideals { exchange?.broke() }
    }

    private func report(addressChanged: Bool) {
        guard let links else { return }
        observations.report(
            .pathChanged(
                PathChange(
                    phase: path.phase,
                    interface: path.hasRoute ? path.interface.rawValue : "none",
                    condition: path.condition,
                    down: links.down.rate,
                    up: links.up.rate,
                    addressChanged: addressChanged
                )
            ),
            at: simulation.instant,
            device: device
        )
    }

    private func scheduleNextChange() {
        simulation.cancel(changeEvent)
        changeEvent = .none
        if let next = timeline.nextChange(after: simulation.instant) {
            changeEvent = simulation.schedule(at: next, for: self, payload: 0)
        }
    }

    // MARK: Packets

    /// How long a name lookup takes in this phase, when it is not cached.
    var nameLookup: Duration { timeline.phase.nameLookup }
    /// Propagation there and back in this phase.
    var roundTrip: Duration { timeline.phase.rtt }

    /// Takes a packet from the phone.
    func sendUp(_ packet: Packet) {
        guard path.condition != .down else { return lost(packet, .up, .pathDown) }
        var packet = packet
        packet.address = Int32(path.address)
        guard let links, links.up.accept(packet) else { return lost(packet, .up, .queueFull) }
    }

    /// Takes a packet from a server.
    func sendDown(_ packet: Packet) {
        links?.inbound.accept(packet)
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
            links?.outbound.accept(packet)
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
            links?.outbound.accept(packet)
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
        guard let links, links.down.accept(packet) else {
            return lost(packet, .down, .queueFull)
        }
    }

    /// Reports a packet that vanished.
    func lost(_ packet: Packet, _ direction: PacketDirection, _ cause: PacketLoss.Cause) {
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
        case .up, .down: connection(of: packet)?.isSevered ?? false
        case .blackhole: true
        case .captive: packet.kind == .tcp && connection(of: packet)?.isPortal != true
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
            owner: owner(of: packet)
        )
        modem.crossed(crossing, at: simulation.instant)
        observations.report(.packet(crossing), at: simulation.instant, device: device)
    }

    private func owner(of packet: Packet) -> String {
        switch packet.kind {
        case .tcp: connection(of: packet)?.owner ?? ""
        case .datagram: resolver?.owner(ofLookup: Int(packet.slot)) ?? ""
        case .ideal: ideals[Int(packet.slot)]?.owner ?? ""
        }
    }

    private func connection(of packet: Packet) -> TCPConnection? {
        guard packet.kind == .tcp, let connection = connections[Int(packet.slot)],
            connection.number == packet.connection
        else { return nil }
        return connection
    }

    private func deliver(_ packet: Packet, toPhone: Bool) {
        switch packet.kind {
        case .tcp: connection(of: packet)?.deliver(packet, toPhone: toPhone)
        case .datagram: resolver?.deliver(packet, toPhone: toPhone)
        case .ideal: ideals[Int(packet.slot)]?.deliver(packet, toPhone: toPhone)
        }
    }

    // MARK: Exchanges

    /// Calls `completion` with whether `host` has an address.
    func resolve(_ host: String, owner: String, _ completion: @escaping (Bool) -> Void) {
        resolver?.resolve(host, owner: owner, completion)
    }

    /// Arms a fault in the middle of an exchange; it fires once.
    package func intercept(_ interception: ExchangeInterception) {
        interceptions.append(ArmedInterception(interception))
    }

    /// Disarms every fault that has not fired.
    package func removeInterceptions() {
        interceptions.removeAll()
    }

    /// The fault that takes this request, if its turn has come.
    func takeRequestFault(for head: HTTPRequestHead) -> ExchangeInterception? {
        takeFault(for: head) { $0 == .request }
    }

    /// The fault that takes this response, if its turn has come.
    func takeResponseFault(for head: HTTPRequestHead) -> ExchangeInterception? {
        takeFault(for: head) { $0 != .request }
    }

    private func takeFault(
        for head: HTTPRequestHead,
        where concerns: (ExchangeInterception.Loss) -> Bool
    ) -> ExchangeInterception? {
        var due: ExchangeInterception?
        for index in interceptions.indices
        where concerns(interceptions[index].plan.loss) && interceptions[index].plan.matches(head) {
            interceptions[index].seen += 1
            if due == nil, interceptions[index].seen == interceptions[index].plan.nth {
                due = interceptions[index].plan
                interceptions[index].hasFired = true
            }
        }
        interceptions.removeAll(where: \.hasFired)
        return due
    }

    // MARK: Connections

    /// Gives a connection its slot.
    func attach(_ connection: TCPConnection) -> Int {
        if let slot = freeSlots.popLast() {
            connections[slot] = connection
            return slot
        }
        connections.append(connection)
        return connections.count - 1
    }

    /// Gives an exchange of the ideal transport its slot; slots are not used twice.
    func attach(_ exchange: IdealExchange) -> Int {
        ideals.append(exchange)
        return ideals.count - 1
    }

    /// Takes an exchange of the ideal transport out.
    func detachIdeal(_ slot: Int) {
        ideals[slot] = nil
    }

    /// Every server forgets its connections, as after a restart: it answers them with resets.
    package func restartServers() {
        for connection in connections { connection?.server.vanish() }
    }

    /// Takes a connection out that both ends have forgotten.
    func detach(_ slot: Int) {
        connections[slot] = nil
        freeSlots.append(slot)
    }
}
