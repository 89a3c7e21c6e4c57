import HTTPVocabulary
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

/// Events from a server, by server-sent events and by WebSocket.
@Suite struct `Event streams` {
    /// Events every 10 s from 10 s on; a round trip of 100 ms without a limit of rate.
    private final class Stage {
        let world: TestWorld
        let publisher: EventPublisher
        let channel: LiveChannel

        init(
            _ settings: LiveSettings,
            stream: EventStreamSettings = EventStreamSettings(
                every: .init(.seconds(10), .seconds(10))
            ),
            _ conditions: NetworkConditions = .plain()
        ) {
            world = TestWorld(conditions)
            let observations = ObservationStream()
            observations.add(world.log)
            publisher = EventPublisher(
                stream,
                simulation: world.simulation,
                observations: observations
            )
            channel = LiveChannel(
                settings,
                network: world.network,
                host: "a.example",
                owner: "live",
                security: .tls13,
                publisher: publisher
            )
            channel.open()
            publisher.begin(until: .zero + .seconds(600))
        }

        var events: [LiveEvent] {
            world.log.records.compactMap {
                if case .live(let event) = $0.observation { event } else { nil }
            }
        }

        var received: [Int64] {
            events.compactMap { if case .received(let id, _) = $0 { id } else { nil } }
        }

        func delay(of wanted: Int64) -> Duration? {
            events.compactMap {
                if case .received(wanted, let delay) = $0 { delay } else { nil }
            }.first
        }

        var openings: Int {
            events.count { if case .opened = $0 { true } else { false } }
        }
    }

    // TCP, TLS and the request: 3 x 100 ms. An event takes half a round trip.
    @Test(arguments: LiveSettings.Channel.allCases)
    func `events take half a round trip on an open stream`(over: LiveSettings.Channel) {
        let stage = Stage(LiveSettings(over: over))
        stage.world.run(0.29)
        #expect(stage.openings == 0)
        stage.world.run(35)
        #expect(stage.openings == 1)
        #expect(stage.received == [1, 2, 3])
        #expect(stage.delay(of: 2) == .milliseconds(50))
    }

    // The address changes at 38.5 s. The client is told at once, connects again 3 s later, and says that it
    // heard event 3. Event 4, of 40 s, is sent after the request of the new connection: 38.5 + 3 + 0.25 s at
    // the server, + 0.05: 1.8 s late.
    @Test func `a lost connection is opened again, and what was missed is sent`() throws {
        let stage = Stage(LiveSettings())
        stage.world.run(38.5)
        stage.world.network.dropConnections()
        stage.world.run(20)
        #expect(stage.openings == 2)
        #expect(stage.received == [1, 2, 3, 4, 5])
        #expect(stage.delay(of: 4) == .milliseconds(1_800))
    }

    // The same by WebSocket: nobody repeats event 4.
    @Test func `a WebSocket misses what is published while it is away`() {
        let stage = Stage(LiveSettings(over: .websocket))
        stage.world.run(38.5)
        stage.world.network.dropConnections()
        stage.world.run(20)
        #expect(stage.openings == 2)
        #expect(stage.received == [1, 2, 3, 5])
    }

    // The server keeps two events. The phone has no route from 25 s to 85 s: events 3 to 8 are published;
    // of them 7 and 8 are sent after the reconnection.
    @Test func `only what the server keeps is sent again`() {
        var stream = EventStreamSettings(every: .init(.seconds(10), .seconds(10)))
        stream.keeps = 2
        let stage = Stage(
            LiveSettings(),
            stream: stream,
            NetworkConditions(phases: [
                NetworkPhase(
                    name: "one",
                    duration: .seconds(25),
                    down: LinkDirection(rate: .unlimited),
                    up: LinkDirection(rate: .unlimited),
                    rtt: .milliseconds(100)
                ),
                NetworkPhase(
                    name: "two",
                    down: LinkDirection(rate: .unlimited),
                    up: LinkDirection(rate: .unlimited),
                    rtt: .milliseconds(100),
                    handover: Handover(gap: .seconds(60), newAddress: true)
                ),
            ])
        )
        stage.world.run(95)
        #expect(stage.received == [1, 2, 7, 8, 9])
    }

    // A hole that swallows packets from 35 s on, for good. A client without a time-out waits for ever; one
    // with 40 s of patience gives up after the last sign of life (event 3 at 30.05 s) and tries again.
    @Test(arguments: [true, false])
    func `only a time-out finds a hole`(hasTimeout: Bool) {
        let stage = Stage(
            LiveSettings(timeout: hasTimeout ? .seconds(40) : nil),
            .plain(
                interruptions: [
                    PathInterruption(at: .seconds(35), duration: .seconds(100), kind: .blackhole)
                ]
            )
        )
        stage.world.run(71)
        #expect(stage.world.log.closings == (hasTimeout ? [.timedOut] : []))
    }

    // Heartbeats of 15 s, events every 40 s: at 15 and 30 s after the opening at 0.25 s, then event 1 at
    // 40 s, 55, 70, event 2 at 80 s, 95, 110. A heartbeat is a packet down and its acknowledgement.
    @Test(arguments: LiveSettings.Channel.allCases)
    func `silence is broken by heartbeats`(over: LiveSettings.Channel) {
        let stream = EventStreamSettings(
            every: .init(.seconds(40), .seconds(40)),
            heartbeat: .seconds(15)
        )
        let stage = Stage(LiveSettings(over: over), stream: stream)
        stage.world.run(119)
        let down = stage.world.log.crossings.filter {
            $0.at.nanoseconds > 1_000_000_000 && $0.packet.direction == .down
                && $0.packet.payload > 0
        }
        #expect(
            down.map { Int(($0.at.nanoseconds + 500_000_000) / 1_000_000_000) }
                == [15, 30, 40, 55, 70, 80, 95, 110]
        )
    }

    // Events 1 and 2 have come by 25 s. The socket of the dead says FIN, and the server stops.
    @Test func `a dead process listens no more`() {
        let stage = Stage(LiveSettings())
        stage.world.run(25)
        stage.channel.processDied()
        stage.world.run(60)
        #expect(stage.received == [1, 2])
        #expect(stage.publisher.subscriptions == 0)
        #expect(stage.world.log.closings == [.processDied])
    }

    // The packets of the last heartbeat or event are long through at 25 s.
    @Test(arguments: LiveSettings.Channel.allCases)
    func `a phone without power says nothing`(over: LiveSettings.Channel) {
        let stage = Stage(LiveSettings(over: over))
        stage.world.run(25)
        let before = stage.world.log.crossings.count
        stage.channel.powerLost()
        stage.world.run(4)
        #expect(stage.world.log.crossings.count == before)
        #expect(stage.publisher.subscriptions == 1)
    }

    // Event n is published after n seconds. Two or more are on their way at any time, and the server keeps
    // the last one alone.
    @Test(arguments: LiveSettings.Channel.allCases)
    func `an event knows when it was published, however long it is on its way`(
        over: LiveSettings.Channel
    ) {
        let stream = EventStreamSettings(every: .init(.seconds(1), .seconds(1)), keeps: 1)
        let stage = Stage(
            LiveSettings(over: over, ping: nil),
            stream: stream,
            .plain(rtt: .seconds(4))
        )
        stage.world.run(60)
        #expect(stage.received.count > 30)
        for record in stage.world.log.records {
            guard case .live(.received(let id, let delay)) = record.observation else { continue }
            #expect(delay >= .seconds(2))
            #expect(record.instant - delay == SimulationInstant.zero + .seconds(id))
        }
    }

    // 720 events in two hours and nobody listens: those that it could still send are remembered.
    @Test func `a publisher remembers what it keeps`() {
        let world = TestWorld()
        let publisher = EventPublisher(
            EventStreamSettings(every: .init(.seconds(10), .seconds(10))),
            simulation: world.simulation,
            observations: ObservationStream()
        )
        publisher.begin(until: .zero + .seconds(7_201))
        world.run(7_201)
        #expect(publisher.last == 720)
        #expect(publisher.remembered == 100)
        #expect(publisher.instant(of: 720) == .zero + .seconds(7_200))
        #expect(publisher.instant(of: 621) == .zero + .seconds(6_210))
    }

    @Test func `a stream that the server ends in order is no reset`() {
        let stage = Stage(LiveSettings())
        stage.world.run(5)
        stage.world.network.slots.first?.connection?.server.finish()
        stage.world.run(4)
        #expect(stage.world.log.closings == [.finished])
        #expect(stage.openings == 2)
    }
}
