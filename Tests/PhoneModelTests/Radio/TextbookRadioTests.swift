import PhoneModel
import Quantities
import SimulationKernel
import Testing
import Trace

/// The figures F1 to F6 of DESIGN 11: declared activity, no promotion, 0 W idle, 500 mW while up.
@Suite struct TextbookRadioTests {
    private static func instant(milliseconds: Int64) -> SimulationInstant {
        SimulationInstant(nanoseconds: milliseconds * 1_000_000)
    }

    /// Runs activities given as (owner, start, end) in milliseconds for `length` seconds.
    private func radio(
        tail: Duration,
        _ activities: [(String, Int64, Int64)],
        for length: Int64
    ) -> Radio {
        let simulation = Simulation(seed: 1)
        let radio = Radio(
            .textbook(tail: tail),
            simulation: simulation,
            stream: ObservationStream()
        )
        for (owner, start, end) in activities {
            radio.declareActivity(
                owner: owner,
                from: Self.instant(milliseconds: start),
                to: Self.instant(milliseconds: end)
            )
        }
        let end = Self.instant(milliseconds: length * 1_000)
        simulation.run(until: end)
        radio.finish(at: end)
        return radio
    }

    private func energy(of owner: String, in radio: Radio) -> Energy {
        radio.energyByOwner.first { $0.owner == owner }?.energy ?? .zero
    }

    @Test func `F1 ten requests 20 s apart keep the radio up for 60 s`() {
        // Each: 1 s of activity and a whole 5 s tail, because the next comes 19 s later. 10 x 6 s.
        let radio = radio(
            tail: .seconds(5),
            (0..<10).map { ("app", $0 * 20_000, $0 * 20_000 + 1_000) },
            for: 600
        )
        #expect(radio.counters.onTime == .seconds(60))
        #expect(radio.counters.activeTime == .seconds(10))
        #expect(radio.counters.wakeUps == 10)
    }

    @Test func `F2 the same ten in one burst of 2 s take 7 s, 8.57 times less`() {
        // 2 s of activity and one tail of 5 s; 60 / 7 = 8.571.
        let radio = radio(
            tail: .seconds(5),
            (0..<10).map { ("app", $0 * 200, $0 * 200 + 200) },
            for: 600
        )
        #expect(radio.counters.onTime == .seconds(7))
        #expect(radio.counters.wakeUps == 1)
        let ratio = 60 / radio.counters.onTime.inSeconds
        #expect((ratio * 100).rounded() / 100 == 8.57)
    }

    @Test func `F3 a job every 15 min costs 1.293 percent of a 3000 mAh battery a day`() {
        // (1.2 + 10) s x 0.5 W = 5.6 J; 24 x 4 = 96; 96 x 5.6 = 537.6 J; 537.6 / 41,580 = 1.293 %.
        let radio = radio(
            tail: .seconds(10),
            (0..<96).map { ("app", $0 * 900_000, $0 * 900_000 + 1_200) },
            for: 86_400
        )
        #expect(radio.counters.wakeUps == 96)
        #expect(radio.counters.energy == Energy(nanojoules: 537_600_000_000))
        #expect(energy(of: "app", in: radio) == Energy(nanojoules: 537_600_000_000))
        let battery = BatteryCapacity(milliampereHours: 3_000)
        #expect(battery.energy == .joules(41_580))
        let share = battery.percentage(of: radio.counters.energy)
        #expect((share * 1_000).rounded() / 1_000 == 1.293)
    }

    @Test func `F4 a rider that starts as another's activity ends pays 0.6 J`() {
        // Alone it would pay 5.6 J; riding it adds 1.2 s x 0.5 W = 0.6 J; 5.6 / 0.6 = 9.33.
        let radio = radio(
            tail: .seconds(10),
            [("other", 0, 3_000), ("rider", 3_000, 4_200)],
            for: 60
        )
        #expect(energy(of: "rider", in: radio) == Energy(nanojoules: 600_000_000))
        // The other: 3 s of its own and the 10 s tail that its wake-up caused.
        #expect(energy(of: "other", in: radio) == Energy(nanojoules: 6_500_000_000))
        #expect((5.6 / 0.6 * 100).rounded() / 100 == 9.33)
    }

    @Test(arguments: [0, 1, 2_500, 9_999, 10_000])
    func `F4 a rider that starts x into the tail pays x + 1.2 s`(milliseconds: Int64) {
        // The tail ends x + 1.2 s later than it would have: (x + 1.2) s x 0.5 W.
        let start = 3_000 + milliseconds
        let radio = radio(
            tail: .seconds(10),
            [("other", 0, 3_000), ("rider", start, start + 1_200)],
            for: 60
        )
        let expected = Energy(nanojoules: (milliseconds + 1_200) * 500_000)
        #expect(energy(of: "rider", in: radio) == expected)
        #expect(energy(of: "other", in: radio) == Energy(nanojoules: 6_500_000_000))
        #expect(radio.counters.wakeUps == 1)
    }

    @Test func `F5 two hundred push-triggered fetches ride for 30 J`() {
        // Each starts as the push's activity ends: 0.3 s x 0.5 W = 0.15 J; 200 x 0.15 = 30 J.
        // Isolated: 200 x (0.3 + 10) s x 0.5 W = 1,030 J.
        let every: Int64 = 400_000
        var activities: [(String, Int64, Int64)] = []
        for index in 0..<200 as Range<Int64> {
            activities.append(("push", index * every, index * every + 100))
            activities.append(("fetch", index * every + 100, index * every + 400))
        }
        let riding = radio(tail: .seconds(10), activities, for: 86_400)
        #expect(energy(of: "fetch", in: riding) == .joules(30))
        let alone = radio(
            tail: .seconds(10),
            (0..<200).map { ("fetch", $0 * every, $0 * every + 300) },
            for: 86_400
        )
        #expect(energy(of: "fetch", in: alone) == .joules(1_030))
    }

    @Test func `F6 a poll every 5 min wakes the radio 288 times for 1612.8 J`() {
        // 24 x 12 = 288; 288 x 5.6 J = 1,612.8 J.
        let radio = radio(
            tail: .seconds(10),
            (0..<288).map { ("app", $0 * 300_000, $0 * 300_000 + 1_200) },
            for: 86_400
        )
        #expect(radio.counters.wakeUps == 288)
        #expect(radio.counters.energy == Energy(nanojoules: 1_612_800_000_000))
    }

    @Test func `an owner whose activity lies within another's pays nothing`() {
        let radio = radio(
            tail: .seconds(10),
            [("long", 0, 5_000), ("inner", 1_000, 2_000)],
            for: 60
        )
        #expect(energy(of: "inner", in: radio) == .zero)
        #expect(energy(of: "long", in: radio) == Energy(nanojoules: 7_500_000_000))
    }

    @Test func `an owner whose activity outlasts another's pays from there on`() {
        // Alone 0..5 s and tail: 7.5 J. With 4..8 s: up to 18 s, 9 J. The difference is 1.5 J.
        let radio = radio(
            tail: .seconds(10),
            [("first", 0, 5_000), ("second", 4_000, 8_000)],
            for: 60
        )
        #expect(energy(of: "first", in: radio) == Energy(nanojoules: 7_500_000_000))
        #expect(energy(of: "second", in: radio) == Energy(nanojoules: 1_500_000_000))
    }

    @Test func `a run that ends within activity or tail draws no more than it lasted`() {
        let active = radio(tail: .seconds(10), [("app", 0, 90_000)], for: 60)
        #expect(active.counters.energy == .joules(30))
        let tail = radio(tail: .seconds(10), [("app", 50_000, 55_000)], for: 60)
        #expect(tail.counters.energy == .joules(5))
    }
}
