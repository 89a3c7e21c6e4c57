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
    let up: Bottleneck
    let down: Bottleneck
    let outbound: Propagation
    let inbound: Propagation
    var lossUp: LossProcess
    var lossDown: LossProcess
    var modem: any Modem
    var timeline: PathTimeline
    var slots: ContiguousArray<ConnectionSlot> = []
    /// Who has paid for connections so far, each once; nobody comes first.
    var owners = [""]
    var freeSlots: [Int] = []
    var ideals: [IdealExchange?] = []
    var resolver: NameResolver?
    var interceptions: [ArmedInterception] = []
    /// Loses chosen packets after the bottleneck, beside what the model loses: for tests of recovery.
    var chosenLoss: ((Packet, PacketDirection) -> Bool)?
    private var modems: ModemSet
    private var observers: [(number: Int, call: (PathSnapshot) -> Void)] = []
    private var observerCount = 0
    private var changeEvent = EventHandle.none

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
        up = Bottleneck(.up, simulation: simulation, link: phase.up)
        down = Bottleneck(.down, simulation: simulation, link: phase.down)
        outbound = Propagation(.up, simulation: simulation, draws: jitterUp)
        inbound = Propagation(.down, simulation: simulation, draws: jitterDown)
        up.join(self)
        down.join(self)
        outbound.join(self)
        inbound.join(self)
        resolver = NameResolver(of: self, simulation: simulation)
        applyDelays()
        report(addressChanged: false)
        scheduleNextChange()
    }

    deinit {
        discard()
    }

    /// The world is over: nobody is told anything any more, and connections are forgotten without a packet.
    ///
    /// An app's suspended tasks keep their client and so its network, but not what that leads to.
    package func discard() {
        for slot in slots {
            slot.connection?.letGoOfUsers()
            slot.quic?.letGoOfUsers()
        }
        slots = []
        freeSlots = []
        ideals = []
        observers = []
        interceptions = []
        chosenLoss = nil
        resolver = nil
        modem = NoModem.shared
        modems = ModemSet(cellular: NoModem.shared, wifi: NoModem.shared)
        for link in [up, down] { link.discard() }
        for way in [outbound, inbound] { way.discard() }
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
            for slot in slots where slot.isPortal { slot.connection?.portalLost() }
        }
        if path.condition == .down, before.condition != .down {
            up.flush(.pathDown)
            for exchange in ideals { exchange?.broke() }
        }
        if path.hasRoute, !before.hasRoute {
            for slot in slots { slot.quic?.routeReturned() }
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
        up.change(to: phase.up)
        down.change(to: phase.down)
        applyDelays()
    }

    private func applyDelays() {
        let phase = timeline.phase
        let (there, back) = phase.delays
        let jitter = phase.jitter.wholeNanoseconds
        outbound.change(
            delay: there.wholeNanoseconds,
            jitter: jitter,
            reorders: phase.reorders
        )
        inbound.change(delay: back.wholeNanoseconds, jitter: jitter, reorders: phase.reorders)
    }

    private func changeAddress() {
        path.address += 1
        resolver?.forgetNames()
        up.flush(.oldAddress)
        down.flush(.oldAddress)
        for slot in slots {
            slot.connection?.addressLost()
            slot.quic?.addressChanged(to: path.address)
        }
        for exchange in ideals { exchange?.broke() }
    }

    private func report(addressChanged: Bool) {
        observations.report(
            .pathChanged(
                PathChange(
                    phase: path.phase,
                    interface: path.hasRoute ? path.interface.rawValue : "none",
                    condition: path.condition,
                    down: down.rate,
                    up: up.rate,
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
}
