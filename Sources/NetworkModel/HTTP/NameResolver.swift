import Quantities
import SimulationKernel
import Trace

/// Name lookups of one phone: a cache, and datagrams to a resolver where the cache has nothing.
///
/// A lookup takes what the phase says, of which the packets' round trip is a part. An unanswered
/// query is sent again after 1, 2 and 4 s and given up 8 s later; that and a lifetime of 5 min are
/// assumptions in the range of common stub resolvers.
final class NameResolver: EventReceiver {
    private final class Lookup {
        let host: String
        let owner: String
        var waiting: [(Bool) -> Void] = []
        var attempt = 0
        /// The phone's address that the last query came from.
        var address = 0
        var timeout = EventHandle.none

        init(host: String, owner: String) {
            self.host = host
            self.owner = owner
        }
    }

    private static let lifetime = Duration.seconds(300)
    private static let attempts = 4

    private unowned let network: AccessNetwork
    private let simulation: Simulation
    private var expiry: [String: SimulationInstant] = [:]
    private var lookups: [Lookup] = []

    init(of network: AccessNetwork, simulation: Simulation) {
        self.network = network
        self.simulation = simulation
    }

    /// Forgets what is cached, as after a change of network.
    func forgetNames() {
        expiry.removeAll()
    }

    /// Calls `completion` with whether `host` has an address: at once if that is known.
    func resolve(_ host: String, owner: String, _ completion: @escaping (Bool) -> Void) {
        let exists = network.internet.host(host) != nil || network.path.condition == .captive
        if network.nameLookup == .zero { return completion(exists) }
        if let end = expiry[host], end > simulation.instant { return completion(exists) }
        if let running = lookups.first(where: { $0.host == host && $0.timeout != .none }) {
            running.waiting.append(completion)
            return
        }
        let lookup = Lookup(host: host, owner: owner)
        lookup.waiting.append(completion)
        lookups.append(lookup)
        ask(lookups.count - 1)
    }

    /// Who pays for the packets of a lookup.
    func owner(ofLookup number: Int) -> String {
        number < lookups.count ? lookups[number].owner : ""
    }

    private func ask(_ number: Int) {
        let lookup = lookups[number]
        lookup.attempt += 1
        lookup.address = network.path.address
        // IP and UDP (28), DNS header (12), name with two length bytes, type and class (4).
        network.sendUp(datagram(number, payload: 12 + lookup.host.utf8.count + 2 + 4))
        let wait = Duration.seconds(1 << (lookup.attempt - 1))
        lookup.timeout = simulation.schedule(
            at: simulation.instant + wait,
            for: self,
            payload: UInt64(number) << 1
        )
    }

    private func datagram(_ number: Int, payload: Int) -> Packet {
        var packet = Packet()
        packet.kind = .datagram
        packet.slot = Int32(number)
        packet.payload = Int32(payload)
        packet.size = Int32(payload + 28)
        packet.address = Int32(lookups[number].address)
        return packet
    }

    /// A packet of a lookup has reached its end.
    func deliver(_ packet: Packet, toPhone: Bool) {
        let number = Int(packet.slot)
        guard number < lookups.count else { return }
        if toPhone { return finish(number, answered: true) }
        // The resolver takes what the lookup takes beyond the round trip.
        let rest = max(.zero, network.nameLookup - network.roundTrip)
        simulation.schedule(
            at: simulation.instant + rest,
            for: self,
            payload: UInt64(number) << 1 | 1
        )
    }

    /// A query is unanswered (even), or the resolver answers (odd).
    func receive(_ payload: UInt64, at instant: SimulationInstant) {
        let number = Int(payload >> 1)
        let lookup = lookups[number]
        guard payload & 1 == 0 else {
            // The answer repeats the question and adds two records of 16 bytes.
            return network.sendDown(
                datagram(number, payload: 12 + lookup.host.utf8.count + 2 + 4 + 32)
            )
        }
        if lookup.attempt < Self.attempts { ask(number) } else { finish(number, answered: false) }
    }

    private func finish(_ number: Int, answered: Bool) {
        let lookup = lookups[number]
        guard lookup.timeout != .none else { return }
        simulation.cancel(lookup.timeout)
        lookup.timeout = .none
        let exists = network.internet.host(lookup.host) != nil || network.path.condition == .captive
        if answered, exists { expiry[lookup.host] = simulation.instant + Self.lifetime }
        let waiting = lookup.waiting
        lookup.waiting = []
        for completion in waiting { completion(answered && exists) }
    }
}
