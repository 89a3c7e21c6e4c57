import PhoneModel
import Quantities
import SimulationKernel
import Testing
import Trace

/// The simulated radio: waits, states, reports.
@Suite struct RadioTests {
    /// Figures of ARO's lte.conf (research notes A.1), in whole milliseconds.
    static let lte = RadioModel(
        name: "lte-test",
        title: "LTE",
        year: 2012,
        grade: .a,
        technology: .lte,
        machine: .chain(
            ChainParameters(
                idle: RadioState(
                    "IDLE",
                    .idle,
                    PowerDraw(
                        .zero,
                        pulse: .init(
                            period: .milliseconds(1_280),
                            on: .milliseconds(43),
                            power: .milliwatts(594),
                            charge: .each
                        )
                    )
                ),
                promotion: .init(
                    state: RadioState("PROMOTION", .promotion, .milliwatts(1_210)),
                    delay: .milliseconds(260)
                ),
                active: RadioState("CONTINUOUS", .active, .milliwatts(1_200)),
                slope: TransferSlope(
                    up: Power(microwatts: 438_390),
                    down: Power(microwatts: 51_970)
                ),
                tail: [
                    .init(
                        state: RadioState("CR_TAIL", .tail, .milliwatts(1_200)),
                        duration: .milliseconds(100),
                        bridges: true
                    ),
                    .init(
                        state: RadioState("DRX_SHORT", .tail, Self.drx(.milliseconds(20))),
                        duration: .milliseconds(20)
                    ),
                    .init(
                        state: RadioState("DRX_LONG", .tail, Self.drx(.milliseconds(40))),
                        duration: .seconds(10)
                    ),
                ]
            )
        )
    )

    static func drx(_ period: Duration) -> PowerDraw {
        PowerDraw(
            .milliwatts(1_060),
            pulse: .init(
                period: period,
                on: .milliseconds(2),
                power: .milliwatts(1_680),
                charge: .mean
            )
        )
    }

    final class Recorder: ObservationSink {
        var intervals: [RadioInterval] = []
        func observe(_ record: TraceRecord) {
            if case .radioInterval(let interval) = record.observation { intervals.append(interval) }
        }
        func finish(at end: SimulationInstant) {}
    }

    struct World {
        let simulation = Simulation(seed: 1)
        let recorder = Recorder()
        let radio: Radio

        init(_ model: RadioModel) {
            let stream = ObservationStream()
            stream.add(recorder)
            radio = Radio(model, simulation: simulation, stream: stream)
        }

        func send(at milliseconds: Int64, _ direction: PacketDirection, size: Int, owner: String) {
            let instant = SimulationInstant(nanoseconds: milliseconds * 1_000_000)
            simulation.schedule(at: instant) {
                let ready = radio.readiness(direction, size: size, owner: owner, at: instant)
                simulation.schedule(at: ready) {
                    radio.crossed(direction, size: size, owner: owner, at: ready)
                }
            }
        }

        func finish(atSecond second: Int64) {
            let end = SimulationInstant(nanoseconds: second * 1_000_000_000)
            simulation.run(until: end)
            radio.finish(at: end)
        }
    }

    @Test func `one LTE packet costs what the published figures add up to`() {
        // One uplink packet of 100 B that crosses at 5 s, 30 s of trace (S01 of the golden files):
        // promotion 0.26 x 1.21 = 0.3146; transfer 800 bit x 438.39 nJ = 0.000350712;
        // CR tail 0.12; short DRX 0.02 x 1.122 = 0.02244; long DRX 10 x 1.091 = 10.91;
        // idle 0..4.74: 3 pulses of 25.542 mJ and the fourth, 0.102168; 15.12..30 (14.88 s):
        // 11 whole periods and a twelfth pulse, 0.306504. Sum 11.776062712.
        let world = World(Self.lte)
        world.send(at: 4_740, .up, size: 100, owner: "app")
        world.finish(atSecond: 30)
        #expect(world.radio.counters.energy == Energy(nanojoules: 11_776_062_712))
        #expect(
            world.recorder.intervals.map(\.state) == [
                "IDLE", "PROMOTION", "CONTINUOUS", "CR_TAIL", "DRX_SHORT", "DRX_LONG", "IDLE",
            ]
        )
        let ends = world.recorder.intervals.map { $0.end.nanoseconds / 1_000_000 }
        #expect(ends == [4_740, 5_000, 5_000, 5_100, 5_120, 15_120, 30_000])
    }

    @Test func `packets that come during a promotion wait for its end, later ones not`() {
        let world = World(Self.lte)
        let at = { SimulationInstant(nanoseconds: $0 * 1_000_000) }
        let radio = world.radio
        #expect(radio.readiness(.up, size: 60, owner: "a", at: at(1_000)) == at(1_260))
        #expect(radio.readiness(.down, size: 60, owner: "b", at: at(1_200)) == at(1_260))
        // The first packet is still being clocked out: the radio is up, nobody waits again.
        #expect(radio.readiness(.up, size: 60, owner: "a", at: at(1_300)) == at(1_300))
        radio.crossed(.up, size: 60, owner: "a", at: at(1_310))
        // In the tail nobody waits; after it (10.12 s) the next one does.
        #expect(radio.readiness(.up, size: 60, owner: "a", at: at(11_430)) == at(11_430))
        #expect(radio.readiness(.up, size: 60, owner: "a", at: at(11_431)) == at(11_691))
    }

    @Test func `shares of every interval sum to its energy`() {
        let world = World(Self.lte)
        var random = world.simulation.stream("test", purpose: "traffic")
        var time: Int64 = 0
        for index in 0..<400 {
            time += random.integer(in: 1...4_000)
            world.send(
                at: time,
                index % 3 == 0 ? .down : .up,
                size: Int(random.integer(in: 40...1_500)),
                owner: "owner\(index % 7)"
            )
        }
        world.finish(atSecond: time / 1_000 + 30)
        #expect(world.recorder.intervals.count > 400)
        for interval in world.recorder.intervals {
            let sum = interval.shares.reduce(Energy.zero) { $0 + $1.energy }
            #expect(sum == interval.energy)
        }
        for (left, right) in zip(world.recorder.intervals, world.recorder.intervals.dropFirst()) {
            #expect(left.end == right.start)
        }
    }

    @Test func `what a rider pays is what the phone draws more because of it`() {
        // Counterfactual: the same traffic without the rider, both run to well after the tails.
        let times: [(Int64, String)] = [(1_000, "host"), (6_000, "rider"), (9_000, "host")]
        let with = World(Self.lte)
        let without = World(Self.lte)
        for (time, owner) in times {
            with.send(at: time, .up, size: 500, owner: owner)
            if owner == "host" { without.send(at: time, .up, size: 500, owner: owner) }
        }
        with.finish(atSecond: 60)
        without.finish(atSecond: 60)
        let paid = with.radio.energyByOwner.first { $0.owner == "rider" }?.energy ?? .zero
        // In order of arrival, the rider at 6.26 s moves the tail's end by what had run of it:
        // CR tail 0.12 + short DRX 0.02244 + long DRX (5 - 0.12 - 0.26 s of promotion) x 1.091 J,
        // and sends 4,000 bit x 438.39 nJ. The host's second packet then adds 3 s of tail.
        #expect(paid == Energy(nanojoules: 120_000_000 + 22_440_000 + 5_040_420_000 + 1_753_560))
        #expect(without.radio.counters.energy < with.radio.counters.energy)
    }

    @Test func `the state can be asked for at any instant`() {
        let world = World(Self.lte)
        var seen: [String] = []
        world.send(at: 1_000, .up, size: 100, owner: "app")
        for time in [500, 1_100, 1_300, 1_370, 1_400, 11_379, 11_381] as [Int64] {
            world.simulation.schedule(at: SimulationInstant(nanoseconds: time * 1_000_000)) {
                seen.append(world.radio.currentState.name)
            }
        }
        world.simulation.run(until: SimulationInstant(nanoseconds: 20_000_000_000))
        // Promotion 1.00..1.26; crossing 1.26; CR tail to 1.36; short to 1.38; long to 11.38.
        #expect(
            seen == [
                "IDLE", "PROMOTION", "CR_TAIL", "DRX_SHORT", "DRX_LONG", "DRX_LONG", "IDLE",
            ]
        )
    }

    @Test func `an idle radio keeps its tail when traffic moves to the other one`() {
        let simulation = Simulation(seed: 1)
        let stream = ObservationStream()
        let cellular = Radio(Self.lte, simulation: simulation, stream: stream)
        let wifi = Radio(.textbook(), simulation: simulation, stream: stream)
        let radios = RadioSet(cellular: cellular, wifi: wifi)
        let at = { SimulationInstant(nanoseconds: $0 * 1_000_000) }
        radios.crossed(.up, size: 100, owner: "a", at: at(1_000))
        radios.select(.wifi)
        radios.crossed(.up, size: 100, owner: "a", at: at(2_000))
        radios.finish(at: at(60_000))
        #expect(cellular.counters.tailTime == .milliseconds(10_120))
        #expect(wifi.counters.tailTime == .seconds(10))
    }
}
