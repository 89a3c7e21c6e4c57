import Foundation
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

@Suite struct `Trace-driven link` {
    private func conditions(_ opportunities: [Int64]) -> NetworkConditions {
        let link = LinkDirection(rate: .opportunities(opportunities), queue: 1_000)
        return NetworkConditions(phases: [
            NetworkPhase(name: "trace", down: link, up: link, rtt: .milliseconds(40))
        ])
    }

    private func datagram(_ size: Int) -> Packet {
        var packet = Packet()
        packet.kind = .datagram
        packet.size = Int32(size)
        packet.payload = Int32(size - 28)
        return packet
    }

    // Opportunities at 5, 10, 10 and 20 ms. Three packets of 700 B wait: two fit into the first, the
    // third takes the next; the second one at 10 ms and what is left of each are wasted. A packet
    // that comes at 12 ms waits for 20.
    @Test func `opportunities carry what waits, and the rest is wasted`() {
        let world = TestWorld(conditions([5, 10, 10, 20]))
        for _ in 0..<3 { world.network.sendUp(datagram(700)) }
        world.simulation.schedule(at: .init(nanoseconds: 12_000_000)) {
            world.network.sendUp(datagram(100))
        }
        world.run(1)
        #expect(world.log.crossings.map { $0.at.nanoseconds / 1_000_000 } == [5, 5, 10, 20])
    }

    // A second of 1,000 opportunities is 12 Mbit/s: 1,500 packets take 1.5 s, over the wrap-around.
    @Test func `a full trace carries its rate, across the wrap-around`() {
        let world = TestWorld(conditions((1...1_000).map { Int64($0) }))
        for _ in 0..<1_000 { world.network.sendUp(datagram(1_500)) }
        world.simulation.schedule(at: .init(nanoseconds: 500_000_000)) {
            for _ in 0..<500 { world.network.sendUp(datagram(1_500)) }
        }
        world.run(3)
        let ends = world.log.crossings.map { $0.at.nanoseconds / 1_000_000 }
        let isBackToBack = ends == (1...1_500).map { Int64($0) }
        #expect(isBackToBack)
    }

    // Nothing waits, so nothing happens: no event in 24 hours.
    @Test func `an idle day costs no event`() {
        let world = TestWorld(conditions([3, 8, 17, 1_000]))
        let before = world.simulation.handledEvents
        world.run(86_400)
        #expect(world.simulation.handledEvents == before)
        world.network.sendUp(datagram(1_500))
        world.run(1)
        #expect(world.log.crossings.map { $0.at.nanoseconds } == [86_400_003_000_000])
    }

    /// A recording of a drive, if the shared data is there.
    private static let recording: [Int64]? = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let file = folder.appendingPathComponent(
                "shared/data/mahimahi/ATT-LTE-driving-2016.down"
            )
            if let text = try? String(contentsOf: file, encoding: .utf8) {
                return text.split(separator: "\n").compactMap { Int64($0) }
            }
        }
        return nil
    }()

    // 5 MB in packets of 1,448 B of payload need 3,454 opportunities of 1,500 B: none can be done
    // before the trace's 3,454th. TCP's start and the holes of the trace take their time beyond it.
    @Test(.enabled(if: recording != nil, "../shared/data/mahimahi is not there"))
    func `a recorded drive carries a download at its pace`() throws {
        let trace = try #require(Self.recording)
        let world = TestWorld(conditions(trace))
        world.send("GET", "/bytes/5000000")
        world.run(60)
        let milliseconds = try #require(world.milliseconds(world.events.finishedAt.first))
        #expect(milliseconds >= Double(trace[3_453]))
        #expect(milliseconds < 3 * Double(trace[3_453]))
        #expect(world.events.bytes == 5_000_000)
    }
}
