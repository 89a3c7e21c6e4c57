import CaptureAnalysis
import Foundation
import PacketCapture
import PhoneModel
import Quantities
import SimulationKernel
import Testing
import Trace

/// A simulated radio's ledger against the analysis of the capture that was written beside it.
@Suite struct ForwardBackwardTests {
    static let radios = [
        "textbook", "lte-2012-aro", "umts-2010-aro-i997", "umts-2010-aro-captivate",
        "umts-2010-aro-inspire", "umts-2010-aro-aria", "umts-2010-aro-thrill", "wifi-2012-aro",
        "umts-2014-energybox", "wifi-2014-energybox", "lte-2021-verizon", "lte-2021-tmobile",
        "nsa-2021-lowband", "nsa-2021-mmwave", "sa-2021-lowband",
    ]

    /// A phone that exchanges requests with a server over its radio, as the network rooms would.
    final class Traffic {
        let simulation: Simulation
        let radio: Radio
        let stream = ObservationStream()
        var random: RandomStream
        /// Nothing overtakes in a direction: the instant at which it is free again.
        var free: [PacketDirection: SimulationInstant] = [:]
        var bytes = 0

        init(_ model: RadioModel, seed: UInt64, path: String) throws {
            simulation = Simulation(seed: seed)
            radio = Radio(model, simulation: simulation, stream: stream)
            random = simulation.stream("test", purpose: "traffic")
            let radio = self.radio
            stream.add(
                try CaptureWriter(path: path, radios: [(.cellular, model.name)]) {
                    radio.captureInstant($1.direction, size: Int($1.size), crossingAt: $2)
                }
            )
        }

        /// Hands a packet over; `then` runs when it has crossed.
        func send(
            _ direction: PacketDirection,
            payload: Int,
            connection: Int64,
            owner: String,
            then: @escaping () -> Void
        ) {
            let now = simulation.instant
            let size = payload + 52
            var ready = radio.readiness(direction, size: size, owner: owner, at: now)
            // 2 Mbps: what a bottleneck would take for it.
            ready = max(ready, free[direction] ?? .zero)
            let crossing = ready + .nanoseconds(Int64(size) * 4_000)
            free[direction] = crossing
            simulation.schedule(at: crossing) { [self] in
                radio.crossed(direction, size: size, owner: owner, at: crossing)
                bytes += size
                stream.report(
                    .packet(
                        PacketCrossing(
                            direction: direction,
                            size: size,
                            payload: payload,
                            connection: connection,
                            owner: owner
                        )
                    ),
                    at: crossing
                )
                then()
            }
        }

        /// A request of some packets up, a response of some packets down, acknowledged.
        func exchange(_ connection: Int64, owner: String) {
            let up = Int(random.integer(in: 60...1_400))
            let down = Int(random.integer(in: 1...6))
            send(.up, payload: up, connection: connection, owner: owner) { [self] in
                simulation.schedule(at: simulation.instant + .milliseconds(80)) { [self] in
                    respond(down, connection, owner: owner)
                }
            }
        }

        private func respond(_ count: Int, _ connection: Int64, owner: String) {
            guard count > 0 else { return }
            let payload = count > 1 ? 1_400 : Int(random.integer(in: 1...1_400))
            send(.down, payload: payload, connection: connection, owner: owner) { [self] in
                send(.up, payload: 0, connection: connection, owner: owner) {}
                respond(count - 1, connection, owner: owner)
            }
        }
    }

    /// Schedules 120 exchanges; the answer is when all tails are over.
    static func fill(_ traffic: Traffic) -> SimulationInstant {
        var time: Int64 = 1_000_000_000
        for index in 0..<120 as Range<Int64> {
            // Gaps from a tenth of a second to half a minute, so that every timer is met.
            let scale: Int64 = [100, 1_000, 5_000, 30_000][Int(traffic.random.integer(in: 0...3))]
            time += traffic.random.integer(in: 1...scale) * 1_000_000
            traffic.simulation.schedule(at: SimulationInstant(nanoseconds: time)) {
                traffic.exchange(index + 1, owner: "owner\(index % 3)")
            }
        }
        return SimulationInstant(nanoseconds: time + 45_000_000_000)
    }

    @Test(arguments: radios, Sweep.seeds(quick: 1, wide: 3))
    func `the analysis of a written capture gives the simulator's own energy`(
        name: String,
        seed: UInt64
    ) throws {
        let model = try GoldenFiles.radio(name)
        let path = FileManager.default.temporaryDirectory
            .appending(path: "onebar-\(UUID().uuidString).pcapng").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let traffic = try Traffic(model, seed: seed, path: path)
        let end = Self.fill(traffic)
        traffic.simulation.run(until: end)
        traffic.radio.finish(at: end)
        traffic.stream.finish(at: end)

        let input = try CaptureInput.read(path: path, options: CaptureOptions())
        #expect(input.traffic.length == end.nanoseconds)
        let sizes = input.traffic.packets.reduce(0) { $0 + Int($1.size) }
        #expect(sizes == traffic.bytes)
        let analyzer = CaptureAnalyzer(radio: model) { try? GoldenFiles.radio($0) }
        let report = try analyzer.analyze(input, path: path, options: CaptureOptions())
        #expect(report.radios.map(\.name) == [name])
        let simulated = traffic.radio.counters
        let ratio = report.joules / simulated.energy.inJoules
        #expect(abs(ratio - 1) < 0.005, "\(name): \(report.joules) J, \(simulated.energy)")
        #expect(report.promotions == simulated.promotions)
        #expect(abs(report.tailJoules / simulated.tailEnergy.inJoules - 1) < 0.005)
    }
}
