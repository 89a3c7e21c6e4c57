import Measurements
import Quantities
import Testing
import Trace

/// Radio time, promotions, energy, and who pays.
@Suite struct RadioMetricTests {
    @Test func `ten requests 20 s apart with a 5 s tail keep the radio on for 60 s`() {
        // F1: 10 x (1 s active + 5 s tail) = 60 s; ten steps from idle to active, no promotion.
        var script = ObservationScript()
        for index in 0..<10 {
            let start = Double(index) * 20
            script.radio(start, start + 1, .active)
            script.radio(start + 1, start + 6, .tail)
            script.radio(start + 6, start + 20, .idle, milliwatts: 0, owner: "idle")
        }
        let run = script.measured(end: 200)
        #expect(run["radio.on_s"] == 60)
        #expect(run["radio.active_s"] == 10)
        #expect(run["radio.tail_s"] == 50)
        #expect(run["radio.promotions"] == 10)
        // 60 s x 0.5 W = 30 J, of which 50 s x 0.5 W = 25 J are tail.
        #expect(run["radio.energy_j"] == 30)
        #expect(run["radio.tail_energy_j"] == 25)
    }

    @Test func `a promotion interval counts once, and so does one from a lower sending state`() {
        // IDLE -> promotion -> FACH(active) -> promotion -> DCH(active) -> tail: two promotions.
        var script = ObservationScript()
        script.radio(0, 1, .promotion)
        script.radio(1, 2, .active)
        script.radio(2, 3, .promotion)
        script.radio(3, 4, .active)
        script.radio(4, 6, .tail)
        let run = script.measured(end: 10)
        #expect(run["radio.promotions"] == 2)
        #expect(run["radio.on_s"] == 6)
    }

    @Test func `idle draw is in the phone's total and not in the radio's`() {
        // 100 s x 10 mW = 1 J idle; 2 s x 500 mW = 1 J active.
        var script = ObservationScript()
        script.radio(0, 100, .idle, milliwatts: 10, owner: "idle")
        script.radio(100, 102, .active)
        let run = script.measured(end: 102)
        #expect(run["radio.energy_j"] == 1)
        #expect(run["energy.total_j"] == 2)
    }

    @Test func `two radios add up, and each begins idle`() {
        var script = ObservationScript()
        script.radio(0, 1, .active, radio: "lte")
        script.radio(0, 2, .active, radio: "wifi")
        let run = script.measured(end: 2)
        #expect(run["radio.active_s"] == 3)
        #expect(run["radio.promotions"] == 2)
    }

    @Test func `marginal energy is what the same seed without the app does not draw`() {
        var script = ObservationScript()
        script.radio(0, 4, .active)
        let run = script.measured(
            end: 4,
            by: RunMeasurement(counterfactualRadioEnergy: Energy(text: "0.5J", or: .zero))
        )
        // 4 s x 0.5 W = 2 J, less 0.5 J.
        #expect(run["radio.marginal_energy_j"] == 1.5)
        #expect(script.measured(end: 4)["radio.marginal_energy_j"] == nil)
    }

    @Test func `a job every 15 minutes for a day is 1.293 percent of 3,000 mAh`() throws {
        // F3: 96 x (1.2 + 10) s x 0.5 W = 537.6 J; 3 Ah x 3.85 V x 3,600 = 41,580 J; 1.29293 %.
        var script = ObservationScript()
        for index in 0..<96 {
            let start = Double(index) * 900
            script.at(start, .deviceWoke(.job))
            script.radio(start, start + 1.2, .active)
            script.radio(start + 1.2, start + 11.2, .tail)
        }
        let measurement = RunMeasurement(capacity: BatteryCapacity(milliampereHours: 3_000))
        let run = script.measured(end: 86_400, by: measurement)
        #expect(run["radio.energy_j"] == 537.6)
        #expect(run["device.wakeups"] == 96)
        #expect(run["device.wakeups_per_day"] == 96)
        let share = try #require(run["battery.app_share_pct"])
        #expect(abs(share - 1.292929) < 0.000_01)
        #expect(run["battery.app_share_pct_per_day"] == share)
    }

    @Test func `figures for a day need a run of 24 hours`() {
        var script = ObservationScript()
        script.radio(0, 1, .active)
        script.at(1, .deviceWoke(.push))
        let measurement = RunMeasurement(capacity: BatteryCapacity(milliampereHours: 3_000))
        let run = script.measured(end: 86_399, by: measurement)
        #expect(run["battery.app_share_pct"] != nil)
        #expect(run["battery.app_share_pct_per_day"] == nil)
        #expect(run["device.wakeups_per_day"] == nil)
    }

    @Test func `the user's own wake-ups are no wake-ups of the app`() {
        var script = ObservationScript()
        for cause in WakeCause.allCases { script.at(1, .deviceWoke(cause)) }
        #expect(script.measured(end: 2)["device.wakeups"] == 4)
    }

    @Test func `the app's share leaves out the screen, the base and idle radios`() throws {
        var script = ObservationScript()
        script.radio(0, 2, .active, owner: "outbox")
        script.radio(2, 102, .idle, milliwatts: 10, owner: "idle")
        for (consumer, owner) in [
            (EnergyEntry.Consumer.cpu, "outbox"), (.screen, ""), (.base, ""),
        ] {
            script.at(
                102,
                .energyDrawn(EnergyEntry(consumer: consumer, energy: .joules(3), owner: owner))
            )
        }
        let measurement = RunMeasurement(capacity: BatteryCapacity(milliampereHours: 1_000))
        let run = script.measured(end: 102, by: measurement)
        // 1 J radio + 3 J processor of 13,860 J; in all 1 + 1 + 9 J.
        #expect(run["energy.total_j"] == 11)
        let share = try #require(run["battery.app_share_pct"])
        #expect(abs(share - 4 / 13_860.0 * 100) < 1e-9)
        #expect(
            measurement.operations.map(\.owner) == ["outbox", "base", "screen", "idle"]
        )
        #expect(measurement.operations[0].activeNanojoules == 1_000_000_000)
        #expect(measurement.operations[0].otherNanojoules == 3_000_000_000)
    }
}

extension Energy {
    /// Reads `text`, or gives `other` if it is no energy.
    init(text: String, or other: Energy) {
        self = (try? Energy(text: text)) ?? other
    }
}
