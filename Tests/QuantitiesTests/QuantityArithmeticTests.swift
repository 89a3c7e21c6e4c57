import Quantities
import Testing

@Suite struct QuantityArithmeticTests {
    /// bytes x 8 / rate: 1,500 B at 12 Mbps are 12,000 bit / 12 bit per us = 1 ms; 1 B at 3 bit/s is
    /// 8/3 s, rounded up to a nanosecond.
    @Test func `a transmission takes its bits over the rate, rounded up`() {
        #expect(
            BitRate.megabitsPerSecond(12).transmissionTime(of: .bytes(1_500)) == .milliseconds(1)
        )
        #expect(
            BitRate(bitsPerSecond: 3).transmissionTime(of: .bytes(1)) == .nanoseconds(2_666_666_667)
        )
        #expect(
            BitRate.megabitsPerSecond(1).transmissionTime(of: .megabytes(4)) == .seconds(32)
        )
        #expect(BitRate.unlimited.transmissionTime(of: .megabytes(4)) == .zero)
        #expect(BitRate.megabitsPerSecond(1).transmissionTime(of: .zero) == .zero)
        // Near the ends of Int64: 8e18 bit at 1e9 bit/s are 8e9 s, and nothing overflows on the way.
        #expect(
            BitRate(bitsPerSecond: 1_000_000_000)
                .transmissionTime(of: ByteCount(Int64(1_000_000_000_000_000_000)))
                == .seconds(8_000_000_000)
        )
    }

    @Test func `a link of nothing passes nothing`() async {
        await #expect(processExitsWith: .failure) {
            _ = BitRate(bitsPerSecond: 0).transmissionTime(of: .bytes(1))
        }
    }

    @Test func `power over time is energy, exactly`() {
        // 500 mW x 11.2 s = 5.6 J: design F3.
        #expect(
            Power.milliwatts(500).energy(over: .milliseconds(11_200))
                == Energy(nanojoules: 5_600_000_000)
        )
        // 1 uW x 1 ns = 1 fJ: the unit.
        #expect(Power(microwatts: 1).energy(over: .nanoseconds(1)).femtojoules == 1)
        // A day at 1 W is 86,400 J; sums of parts do not round.
        let parts = (0..<86_400).reduce(Energy.zero) { sum, _ in
            sum + Power.milliwatts(1_000).energy(over: .seconds(1))
        }
        #expect(parts == .joules(86_400))
        #expect(Power.milliwatts(1_000).energy(over: .seconds(86_400)) == parts)
    }

    @Test func `nanojoules round half away from zero`() {
        #expect(Energy(femtojoules: 1_499_999).nanojoules == 1)
        #expect(Energy(femtojoules: 1_500_000).nanojoules == 2)
        #expect(Energy(femtojoules: -1_500_000).nanojoules == -2)
    }

    /// 3,000 mAh x 3.85 V x 3.6 J/mWh = 41,580 J; 537.6 J of it are 1.293 % (design F3).
    @Test func `a battery of 3,000 mAh at 3,85 V holds 41,580 J`() {
        let battery = BatteryCapacity(milliampereHours: 3_000)
        #expect(battery.energy == .joules(41_580))
        let share = battery.percentage(of: Energy(nanojoules: 537_600_000_000))
        #expect(abs(share - 1.292_929) < 1e-5)
    }

    @Test func `a chance is exact at its edges`() {
        #expect(!Probability.never.holds(forDraw: 0))
        #expect(Probability.always.holds(forDraw: .max))
        let half = Probability(1, of: 2)
        #expect(half.holds(forDraw: .max / 2) && !half.holds(forDraw: .max / 2 + 1))
        #expect(half == Probability(2, of: 4))
        #expect(half.hashValue == Probability(2, of: 4).hashValue)
        #expect(Probability(1, of: 3) < half && half < .always)
        #expect(Probability(.max - 1, of: .max) < .always)
    }

    @Test func `a chance above one traps`() async {
        await #expect(processExitsWith: .failure) { _ = Probability(7, of: 5) }
    }

    @Test func `durations saturate instead of overflowing`() {
        #expect(Duration.seconds(10_000_000_000).wholeNanoseconds == .max)
        #expect(Duration.seconds(-10_000_000_000).wholeNanoseconds == .min)
        #expect(Duration.nanoseconds(-1_500).wholeNanoseconds == -1_500)
        #expect(SimulationInstant.distantFuture + .seconds(1) == .distantFuture)
        let instant = SimulationInstant.zero + .milliseconds(3)
        #expect(instant - .zero == .milliseconds(3) && instant - .milliseconds(3) == .zero)
    }
}
