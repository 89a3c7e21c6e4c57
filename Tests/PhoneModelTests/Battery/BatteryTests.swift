import PhoneModel
import Quantities
import SimulationKernel
import Testing
import Trace

@Suite struct BatteryTests {
    let bench = PhoneBench()

    private func battery(level: Probability = .always) -> Battery {
        Battery(
            capacity: BatteryCapacity(milliampereHours: 3_000),
            level: level,
            simulation: bench.simulation,
            observations: bench.observations
        )
    }

    @Test func `a day of background jobs is the share that design F3 derives`() {
        // 96 wake-ups of 5.6 J are 537.6 J, 1.293 % of 3,000 mAh x 3.85 V x 3.6 = 41,580 J.
        let battery = battery()
        for _ in 0..<96 { battery.drawForRadio(Energy(nanojoules: 5_600_000_000)) }
        #expect(battery.capacity.energy == .joules(41_580))
        #expect(battery.radio == Energy(nanojoules: 537_600_000_000))
        #expect(battery.drawn == battery.radio)
        #expect(battery.remaining == Energy(nanojoules: 41_042_400_000_000))
        #expect((battery.percentage(of: battery.drawn) * 1_000).rounded() == 1_293)
        // The radio reports for itself.
        #expect(bench.records.isEmpty)
    }

    @Test func `what is drawn is booked by consumer and reported with its owner`() {
        let battery = battery()
        battery.draw(.joules(2), by: .cpu, owner: "image")
        battery.draw(.joules(3), by: .flash, owner: "outbox")
        battery.draw(.joules(4), by: .cpu, owner: "outbox")
        battery.draw(.zero, by: .cpu, owner: "nobody")
        #expect(battery.drawn(by: .cpu) == .joules(6))
        #expect(battery.drawn(by: .flash) == .joules(3))
        #expect(battery.drawn(by: .screen) == .zero)
        #expect(battery.drawn == .joules(9))
        #expect(
            bench.observed == [
                .energyDrawn(EnergyEntry(consumer: .cpu, energy: .joules(2), owner: "image")),
                .energyDrawn(EnergyEntry(consumer: .flash, energy: .joules(3), owner: "outbox")),
                .energyDrawn(EnergyEntry(consumer: .cpu, energy: .joules(4), owner: "outbox")),
            ]
        )
    }

    @Test func `a lasting load draws power times time`() {
        let battery = battery()
        battery.setLoad(.milliwatts(300), of: .screen, owner: "device")
        bench.run(until: .seconds(10))
        battery.setLoad(.milliwatts(100), of: .screen, owner: "device")
        bench.run(until: .seconds(15))
        // 0.3 W x 10 s = 3 J are booked; 0.1 W x 5 s = 0.5 J are not yet.
        #expect(battery.drawn == .joules(3))
        battery.settle()
        #expect(battery.drawn == Energy(nanojoules: 3_500_000_000))
        bench.run(until: .seconds(25))
        battery.setLoad(.zero, of: .screen, owner: "device")
        bench.run(until: .seconds(99))
        battery.settle()
        // Another 10 s at 0.1 W, then nothing.
        #expect(battery.drawn(by: .screen) == Energy(nanojoules: 4_500_000_000))
        #expect(bench.records.count == 3)
    }

    @Test func `loads of different owners do not mix`() {
        let battery = battery()
        battery.setLoad(.milliwatts(100), of: .cpu, owner: "a")
        battery.setLoad(.milliwatts(200), of: .cpu, owner: "b")
        bench.run(until: .seconds(10))
        battery.setLoad(.zero, of: .cpu, owner: "a")
        battery.settle()
        #expect(
            bench.observed == [
                .energyDrawn(EnergyEntry(consumer: .cpu, energy: .joules(1), owner: "a")),
                .energyDrawn(EnergyEntry(consumer: .cpu, energy: .joules(2), owner: "b")),
            ]
        )
    }

    @Test func `it runs empty once, at what it held`() {
        // 1 % of 41,580 J.
        let battery = battery(level: .percent(1))
        var ends = 0
        battery.onEmpty = { ends += 1 }
        #expect(battery.initial == Energy(nanojoules: 415_800_000_000))
        battery.draw(.joules(415), by: .base, owner: "device")
        #expect(ends == 0)
        battery.drawForRadio(Energy(nanojoules: 800_000_000))
        #expect(ends == 1)
        battery.draw(.joules(1), by: .base, owner: "device")
        #expect(ends == 1)
        #expect(battery.remaining == .zero)
    }

    @Test func `sums do not depend on how finely they are drawn`() {
        let one = battery()
        let many = battery()
        one.draw(Power(microwatts: 222_030).energy(over: .seconds(1)), by: .cpu, owner: "x")
        for _ in 0..<1_000 {
            many.draw(
                Power(microwatts: 222_030).energy(over: .milliseconds(1)),
                by: .cpu,
                owner: "x"
            )
        }
        #expect(one.drawn == many.drawn)
    }
}
