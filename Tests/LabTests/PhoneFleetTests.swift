import Budgets
import Foundation
import Measurements
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Testing
import Trace

@testable import Lab

/// A fleet of phones, each with the app's modules on its own disk: what is promised on each holds on each.
@Suite struct PhoneFleetTests {
    private func fleet(_ changes: String...) throws -> Scenario {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Profiles/fleet.jsonc")
        return try ScenarioReader.scenario(
            file.path,
            overrides: changes.compactMap { ProfileOverride($0) }
        )
    }

    private static let everyPhone = Set(1...12)

    @Test(arguments: [1, 2] as [UInt64])
    func `kills and an outage reach every phone, and none loses or doubles anything`(
        seed: UInt64
    ) throws {
        let faults = #"""
            faults=[{"fault":"server.unavailable","at":"1min","for":"30s"},
            {"fault":"process.kill","after":"outbox.enqueued","nth":2,"relaunch":"3s"},
            {"fault":"process.kill","randomly_every":"1min","relaunch":"3s","strict":false}]
            """#
        let run = try LabRuns.run(try fleet(faults), seeds: [seed])
        let result = try #require(run.seeds.first)
        #expect(result.breaches.isEmpty, "\(result.breaches.map(\.message))")
        #expect(result.value(of: MetricName("outbox.enqueued")) == 60)
        #expect(result.value(of: MetricName("outbox.acknowledged")) == 60)
        // The server fails once for all; each phone is killed at its own second promise.
        #expect(result.faults.map(\.fired).prefix(2) == [1, 12])
        #expect(result.faults[2].fired > 0)
        let energies = result.metrics.first { $0.name.text == "fleet.phone_energy_j" }
        #expect(energies?.values.count == 12)
        #expect(energies?.values.allSatisfy { $0 > 0 } == true)
        // The battery's share is the mean phone's: what the app drew on all twelve, over twelve batteries.
        let phone = ["", "system", "idle", "base", "screen"]
        let drawn = result.energy.filter { !phone.contains($0.owner) }
            .reduce(0.0) { $0 + Double($1.totalNanojoules) / 1e9 }
        let battery = try fleet().conditions.device.model.battery
        let joules = battery.energy.inJoules
        let share = try #require(result.value(of: MetricName("battery.app_share_pct")))
        #expect(drawn > 0)
        #expect(abs(share - drawn / joules / 12 * 100) < share / 1e6, "\(share)")
    }

    @Test func `an outbox that stores after the person saw it is caught on every phone`() throws {
        let kill = #"faults=[{"fault":"process.kill","after":"outbox.enqueued","nth":2}]"#
        let run = try LabRuns.run(
            try fleet(kill),
            app: LabRuns.twins([.outboxRowAfterLocalRow])
        )
        let lost = run.seeds[0].breaches.filter { $0.guarantee == .exactlyOnce }
        #expect(Set(lost.map(\.device)) == Self.everyPhone)
        #expect(lost.allSatisfy { $0.message.contains("never took effect") })
        #expect(lost.allSatisfy { $0.subject == "phone\($0.device)-m2" })
    }

    @Test func `a key made at send is caught on every phone`() throws {
        let loss = #"faults=[{"fault":"response.lost","to":"POST /messages","nth":1}]"#
        let run = try LabRuns.run(try fleet(loss), app: LabRuns.twins([.keyMadeAtSend]))
        let doubled = run.seeds[0].breaches.filter { $0.message.contains("took effect twice") }
        #expect(Set(doubled.map(\.device)) == Self.everyPhone)
        #expect(doubled.allSatisfy { $0.message.contains("the idempotency keys differed") })
        // A story is of the phone that it happened to.
        let first = try #require(doubled.first { $0.device == 3 })
        #expect(first.story.count { $0.text.contains("fired") } == 1)
        let sound = try LabRuns.run(try fleet(loss), app: LabRuns.twins([]))
        #expect(sound.seeds[0].breaches.isEmpty)
    }

    @Test func `the same seed gives the same fleet, and another seed another`() throws {
        let scenario = try fleet(#"faults=[{"fault":"process.kill","randomly_every":"1min"}]"#)
        let prints = try LabRuns.run(scenario, seeds: [4, 4, 5]).seeds.map(\.fingerprint)
        #expect(prints[0] == prints[1])
        #expect(prints[0] != prints[2])
    }

    @Test func `more phones move nothing on those that were there`() throws {
        func plans(_ clients: Int) throws -> [PhonePlan] {
            let scenario = try fleet("fleet.clients=\(clients)")
            let end = SimulationInstant.zero + .seconds(480)
            return PhonePlan.all(
                of: scenario,
                setup: WorldSetup(),
                simulation: Simulation(seed: 3, mode: .portable),
                server: .standard,
                calm: end,
                end: end
            )
        }
        let few = try plans(2)
        let many = try plans(5)
        #expect(few.map { $0.actions.map(\.due) } == many.prefix(2).map { $0.actions.map(\.due) })
        #expect(many.map(\.identity.device) == [1, 2, 3, 4, 5])
        let numbers = many.flatMap { $0.actions.map(\.action.action) }
        #expect(Set(numbers).count == 25)
        #expect(Set(many.flatMap { $0.actions.map(\.action.identity) }).count == 25)
        #expect(Set(many.map(\.start)).count == 5)
    }

    @Test func `a fleet of phones without a workload, or with a caller's keys, is refused`() throws
    {
        let problems = { (change: String) -> [String] in
            let error = #expect(throws: ProfileError.self) { try self.fleet(change) }
            return error?.problems.map(\.description) ?? []
        }
        #expect(problems("fleet.calls=3").contains { $0.contains("\"calls\" belongs to \"call\"") })
        #expect(
            problems("fleet.call=GET /feed").contains {
                $0.contains("callers have no person with a workload")
            }
        )
        #expect(problems("fleet.clients=5001").count == 1)
        #expect(throws: Never.self) { try self.fleet("fleet.clients=5000") }
        #expect(
            problems("os=\"android-14\"").contains {
                $0.contains("share the clock that stands while a phone sleeps")
            }
        )
    }

    // Of two phones only the second writes: 1 MB at the flash's price, and nobody else pays for it.
    @Test func `what a phone of a fleet draws is that phone's`() throws {
        let scenario = try fleet("fleet.clients=2")
        let drawn = FlashLedger()
        WorldTurn.with(scenario, mode: .portable) { world in
            let router = PhoneRouter(world)
            world.observations.add(drawn)
            let written = Observation.diskWritten(file: "/data/a", ByteCount(1_000_000))
            router.observe(TraceRecord(instant: .zero, device: 2, observation: written))
            for phone in world.phones { phone.energy.settle() }
        }
        let price = scenario.conditions.device.disk.energy.perByte.femtojoules * 1_000_000
        #expect(price > 0)
        #expect(drawn.femtojoules == [2: price])
    }

    // One phone, or three of its kind without chance: the mean phone's share is that of the one.
    @Test func `the battery's share is that of a phone, however many there are`() throws {
        func share(_ phones: Int) throws -> (Double, Double) {
            var setting = SeedJudge.Setting(
                scope: GuaranteeScope(seed: 1),
                capacity: BatteryCapacity(milliampereHours: 1_000, millivolts: 4_000),
                counterfactualRadioEnergy: nil
            )
            setting.phones = phones
            let judge = SeedJudge(setting)
            for device in 1...phones {
                let entry = EnergyEntry(consumer: .cpu, energy: .joules(144), owner: "outbox")
                for observation in [Observation.energyDrawn(entry), .deviceWoke(.push)] {
                    judge.observe(
                        TraceRecord(instant: .zero, device: device, observation: observation)
                    )
                }
            }
            judge.finish(at: .zero + .seconds(60))
            let result = judge.result(mode: "portable", fingerprint: "", hostNanoseconds: 0)
            return (
                result.value(of: MetricName("battery.app_share_pct")) ?? -1,
                result.value(of: MetricName("device.wakeups")) ?? -1
            )
        }
        // 144 J of 1,000 mAh at 4 V, which are 14,400 J.
        #expect(try share(1) == (1, 1))
        #expect(try share(3) == (1, 1))
    }
}

/// What flash drew, by device.
private final class FlashLedger: ObservationSink {
    private(set) var femtojoules: [Int: Int128] = [:]

    func observe(_ record: TraceRecord) {
        guard case .energyDrawn(let entry) = record.observation, entry.consumer == .flash else {
            return
        }
        femtojoules[record.device, default: 0] += entry.energy.femtojoules
    }

    func finish(at end: SimulationInstant) {}
}
