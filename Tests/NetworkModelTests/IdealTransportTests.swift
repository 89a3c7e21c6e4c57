import Foundation
import HTTPVocabulary
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

@Suite struct `Ideal transport` {
    /// Sends one file in chunks, each again whole when it is cut, at once.
    private final class Uploader: HTTPClientEvents {
        let client: HTTPClientEngine
        var chunks: [Int]
        var isDone: Bool { chunks.isEmpty }

        init(client: HTTPClientEngine, chunks: [Int]) {
            self.client = client
            self.chunks = chunks
        }

        func sendNext() {
            guard let size = chunks.first else { return }
            _ = client.send(
                HTTPRequestHead(method: "PUT", host: "a.example", target: "/"),
                body: Zeros(length: size),
                options: RequestOptions(number: 1, owner: "PUT /"),
                events: self
            )
        }

        func handedOver(_ bytes: Int64, of token: RequestToken) {}
        func responseHead(status: Int, fields: HTTPFieldList, of token: RequestToken) {}
        func bodyChunk(_ bytes: [UInt8], of token: RequestToken) {}

        func finished(_ token: RequestToken) {
            chunks.removeFirst()
            sendNext()
        }

        func failed(_ failure: TransportFailure, of token: RequestToken) { sendNext() }
    }

    private final class Zeros: RequestBodySource {
        let length: Int
        init(length: Int) { self.length = length }
        func read(_ range: Range<Int>) -> [UInt8]? { [] }
    }

    private final class Meter: Modem {
        var sent = 0
        func readiness(
            _ direction: PacketDirection,
            size: Int,
            owner: String,
            at instant: SimulationInstant
        ) -> SimulationInstant { instant }
        func crossed(_ packet: PacketCrossing, at instant: SimulationInstant) {
            if packet.direction == .up { sent += Int(packet.payload) }
        }
    }

    private func bytesSent(seed: UInt64, chunks: [Int]) -> Int {
        let simulation = Simulation(seed: seed)
        let internet = Internet()
        internet.register("a.example", responder: EchoServer(simulation))
        let meter = Meter()
        let network = AccessNetwork(
            simulation: simulation,
            conditions: .plain(rate: .megabitsPerSecond(1), rtt: .zero),
            internet: internet,
            modems: ModemSet(meter),
            observations: ObservationStream()
        )
        var settings = HTTPClientSettings()
        settings.transport = .ideal
        settings.idealPacketSize = 262_144
        let uploader = Uploader(
            client: HTTPClientEngine(network: network, settings: settings),
            chunks: chunks
        )
        uploader.sendNext()
        var drops = simulation.stream("drops")
        var nextDrop = drops.exponential(mean: .seconds(30))
        while !uploader.isDone {
            simulation.run(until: .zero + nextDrop)
            if !uploader.isDone { network.dropConnections() }
            nextDrop += drops.exponential(mean: .seconds(30))
        }
        return meter.sent
    }

    // F12. A chunk that takes T needs (e^(T/30) - 1) x 30 s of sending at R = 125,000 B/s: 3.75 MB x
    // (e^(T/30) - 1). 4 MB: T = 32 s, 7.146 MB. 1 MB: T = 8 s, 4 x 1.146 = 4.584 MB. 256 KiB:
    // T = 2.097 s, 15 of them and 67,840 B: 4.141 MB. The deviation of one chunk's bytes is
    // R x sqrt(900 (e^(2T/30) - 2 T/30 e^(T/30) - 1)); that of the mean, over sqrt(seeds).
    @Test(arguments: [
        ([4_000_000], 7_146_291.0),
        (Array(repeating: 1_000_000, count: 4), 4_584_078.0),
        (Array(repeating: 262_144, count: 15) + [67_840], 4_141_315.0),
    ])
    func `bytes that left the phone are as derived`(chunks: [Int], expected: Double) {
        let seeds = 2_000
        var derived = 0.0
        var variance = 0.0
        for chunk in chunks {
            let ratio = Double(chunk) / 125_000 / 30
            derived += 3_750_000 * (exp(ratio) - 1)
            variance += 125_000 * 125_000 * 900 * (exp(2 * ratio) - 2 * ratio * exp(ratio) - 1)
        }
        #expect(abs(derived - expected) < 2_000)
        let error = (variance / Double(seeds)).squareRoot()
        let sum = (1...seeds).map { bytesSent(seed: UInt64($0), chunks: chunks) }.reduce(0, +)
        let mean = Double(sum) / Double(seeds)
        #expect(abs(mean - derived) < 3 * error)
    }

    // Nothing but the body crosses: 4,000 B in three packets, at 1 Mbps 32 ms, RTT 20 ms.
    @Test func `only bodies weigh anything`() {
        var settings = HTTPClientSettings.exact
        settings.transport = .ideal
        let world = TestWorld(
            .plain(rate: .megabitsPerSecond(1), rtt: .milliseconds(20)),
            settings: settings
        )
        world.send("PUT", "/bytes/500", body: 4_000)
        world.run(1)
        #expect(world.log.crossings.map(\.packet.payload) == [1_500, 1_500, 1_000, 500])
        #expect(world.events.statuses == [200])
        #expect(world.milliseconds(world.events.finishedAt.first) == 32 + 20 + 4.0)
        #expect(world.server.bytesReceived == 4_000)
    }

    // Cut at 20 ms: 2,500 bytes had left, and both sides know at once.
    @Test func `a drop tells both sides at once and counts what had left`() {
        var settings = HTTPClientSettings.exact
        settings.transport = .ideal
        let world = TestWorld(
            .plain(rate: .megabitsPerSecond(1), rtt: .zero),
            settings: settings
        )
        world.send("PUT", "/", body: 4_000)
        world.run(0.02)
        world.network.dropConnections()
        #expect(world.events.failures == [.networkConnectionLost])
        #expect(world.server.lostRequests == ["PUT /"])
        let left = world.log.crossings.map { Int($0.packet.payload) }.reduce(0, +)
        #expect(left == 2_500)
    }
}
