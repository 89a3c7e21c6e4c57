import Quantities
import Testing

@Suite struct QuantityDescriptionTests {
    @Test(arguments: [
        (0, "0 s"), (999, "999 ns"), (1_500, "1.5 us"), (350_000_000, "350 ms"),
        (1_000_000, "1 ms"),
        (12_350_000_000, "12.35 s"), (250_000_000_000, "4 min 10 s"),
        (3_780_000_000_000, "1 h 3 min"),
        (-5_000_000, "-5 ms"), (60_000_000_000, "1 min"),
    ]) func `durations as a person writes them`(nanoseconds: Int64, text: String) {
        #expect(Duration.nanoseconds(nanoseconds).compactText == text)
    }

    @Test func `sizes, rates, powers, energies and chances`() {
        #expect(ByteCount(999).description == "999 B")
        #expect(ByteCount(3_500_000).description == "3.5 MB")
        #expect(ByteCount(2_000).description == "2 kB")
        #expect(BitRate.megabitsPerSecond(12).description == "12 Mbps")
        #expect(BitRate(bitsPerSecond: 250_000).description == "250 kbps")
        #expect(BitRate(bitsPerSecond: 1_234).description == "1234 bps")
        #expect(BitRate.unlimited.description == "unlimited")
        #expect(Power.milliwatts(500).description == "500 mW")
        #expect(Power(microwatts: 19_957).description == "19.957 mW")
        #expect(Energy(nanojoules: 11_367_000_000).description == "11.367 J")
        #expect(Energy.joules(5).description == "5 J")
        #expect(Probability.percent(2).description == "2%")
        #expect(Probability(1, of: 200).description == "0.5%")
        #expect(Probability(1, of: 3).description == "1/3")
        #expect(SimulationInstant(nanoseconds: 12_350_000_000).description == "12.35 s")
    }

    @Test func `a description can be read back where units are spelt alike`() throws {
        for text in ["350ms", "12.35s", "500mW", "12Mbps"] {
            let number = text.prefix { $0.isNumber || $0 == "." }
            let unit = text.dropFirst(number.count)
            switch unit {
            case "mW": #expect(try Power(text: text).description == "\(number) \(unit)")
            case "Mbps": #expect(try BitRate(text: text).description == "\(number) \(unit)")
            default: #expect(try Duration(text: text).compactText == "\(number) \(unit)")
            }
        }
    }
}
