import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// Who is sent events, and heartbeats: the server's end of one subscription.
protocol EventSubscriber: AnyObject {
    /// Sends an event.
    func send(event id: Int64)
    /// Sends a sign of life.
    func sendHeartbeat()
}

/// The server's side of an event stream: numbers its events, and sends each to whoever listens.
///
/// It keeps the last ones for clients that come back and say what they heard last.
package final class EventPublisher {
    /// What it publishes.
    package let settings: EventStreamSettings
    /// The last event's number; they count from one.
    package private(set) var last: Int64 = 0
    let simulation: Simulation
    private let observations: ObservationStream
    /// When the events that are still kept were published; one that is on its way carries its own instant.
    private var instants: [SimulationInstant] = []
    private var subscribers: [(subscriber: any EventSubscriber, sentAt: SimulationInstant)] = []
    private var draws: RandomStream

    /// Makes a publisher that is silent until `begin`.
    package init(
        _ settings: EventStreamSettings,
        simulation: Simulation,
        observations: ObservationStream
    ) {
        self.settings = settings
        self.simulation = simulation
        self.observations = observations
        draws = simulation.stream("events", purpose: "gaps")
    }

    /// Publishes from now on until `end`.
    package func begin(until end: SimulationInstant) {
        let next = simulation.instant + draws.duration(in: settings.every)
        guard next < end else { return }
        simulation.scheduleUnowned(at: next) { [self] in
            publish()
            begin(until: end)
        }
    }

    /// Listeners now.
    package var subscriptions: Int { subscribers.count }

    /// Events of which it knows when they were published.
    var remembered: Int { instants.count }

    /// When an event was published that is the last one, or still kept.
    func instant(of id: Int64) -> SimulationInstant {
        let index = instants.count - 1 - Int(last - id)
        precondition(index >= 0, "event \(id) of \(last) is not kept any more")
        return instants[index]
    }

    private func publish() {
        last += 1
        let now = simulation.instant
        instants.append(now)
        if instants.count > max(1, settings.keeps) { instants.removeFirst() }
        observations.report(.live(.published(last)), at: now)
        for (subscriber, _) in subscribers { subscriber.send(event: last) }
        for index in subscribers.indices { subscribers[index].sentAt = now }
    }

    /// Takes a listener in; the events after `id` that are still kept are sent at once.
    func subscribe(_ subscriber: any EventSubscriber, after id: Int64?) {
        subscribers.append((subscriber, simulation.instant))
        if let id, id < last {
            for missed in max(id + 1, last - Int64(settings.keeps) + 1)...last {
                subscriber.send(event: missed)
            }
        }
        awaitHeartbeat(subscriber)
    }

    /// Lets a listener go.
    func unsubscribe(_ subscriber: any EventSubscriber) {
        subscribers.removeAll { $0.subscriber === subscriber }
    }

    private func awaitHeartbeat(_ subscriber: any EventSubscriber) {
        guard let period = settings.heartbeat,
            let index = subscribers.firstIndex(where: { $0.subscriber === subscriber })
        else { return }
        let due = subscribers[index].sentAt + period
        guard due <= simulation.instant else {
            simulation.scheduleUnowned(at: due) { [self] in awaitHeartbeat(subscriber) }
            return
        }
        subscribers[index].sentAt = simulation.instant
        subscriber.sendHeartbeat()
        awaitHeartbeat(subscriber)
    }
}
