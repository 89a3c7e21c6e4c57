import Quantities
import Testing

/// The error that reading `text` as a quantity gives; nil if it is read.
private func failure<Quantity: QuantityText>(
    _ text: String,
    as type: Quantity.Type
) -> QuantityError? {
    do throws(QuantityError) {
        _ = try Quantity(text: text)
        return nil
    } catch {
        return error
    }
}

@Suite struct QuantityTextTests {
    @Test(arguments: [
        ("0s", 0), ("1ns", 1), ("250us", 250_000), ("150ms", 150_000_000), ("1.5s", 1_500_000_000),
        ("2min", 120_000_000_000), ("1.5h", 5_400_000_000_000), ("1d", 86_400_000_000_000),
        ("10 s", 10_000_000_000), ("1_000ms", 1_000_000_000), ("0.000000001s", 1),
    ]) func `durations`(text: String, nanoseconds: Int64) throws {
        #expect(try Duration(text: text) == .nanoseconds(nanoseconds))
    }

    @Test(arguments: [
        ("0B", 0), ("17B", 17), ("1kB", 1_000), ("256KiB", 262_144), ("3.5MB", 3_500_000),
        ("8MiB", 8_388_608), ("2GB", 2_000_000_000), ("1GiB", 1_073_741_824),
    ]) func `sizes`(text: String, bytes: Int64) throws {
        #expect(try ByteCount(text: text).bytes == bytes)
    }

    @Test(arguments: [
        ("0bps", 0), ("56kbps", 56_000), ("12Mbps", 12_000_000), ("1.2Gbps", 1_200_000_000),
        ("unlimited", .max),
    ]) func `rates`(text: String, bitsPerSecond: Int64) throws {
        #expect(try BitRate(text: text).bitsPerSecond == bitsPerSecond)
    }

    @Test func `powers, energies and batteries`() throws {
        #expect(try Power(text: "500mW").microwatts == 500_000)
        #expect(try Power(text: "1.21W").microwatts == 1_210_000)
        #expect(try Power(text: "19.957mW").microwatts == 19_957)
        #expect(try Energy(text: "950J") == .joules(950))
        #expect(try Energy(text: "12.5mJ").nanojoules == 12_500_000)
        #expect(try Energy(text: "1.5kJ") == .joules(1_500))
        #expect(try BatteryCapacity(text: "4500mAh").milliampereHours == 4_500)
    }

    @Test(
        arguments: [
            ("2%", 2, 100), ("0.5%", 1, 200), ("1/50", 1, 50), ("0%", 0, 1), ("100%", 1, 1),
            ("7/7", 1, 1),
        ] as [(String, UInt64, UInt64)]
    ) func `probabilities`(
        text: String,
        numerator: UInt64,
        denominator: UInt64
    ) throws {
        #expect(try Probability(text: text) == Probability(numerator, of: denominator))
    }

    // MARK: what is refused

    @Test func `a rate is no size, and says so`() {
        let error = failure("15mbps", as: ByteCount.self)
        #expect(error?.problem == "is not a size")
        #expect(error?.remedy.contains("that is a rate") == true)
        #expect(error?.description.hasPrefix("'15mbps' is not a size (") == true)
    }

    @Test func `2m could be minutes or milli`() {
        let error = failure("2m", as: Duration.self)
        #expect(error?.remedy.contains("\"min\"") == true)
        #expect(error?.remedy.contains("\"ms\"") == true)
    }

    @Test(arguments: ["-5s", "-0.1ms", "- 5s"]) func `time does not run back`(text: String) {
        #expect(failure(text, as: Duration.self) != nil)
    }

    @Test func `a negative duration is told from a word`() {
        #expect(failure("-5s", as: Duration.self)?.problem == "is negative")
        #expect(failure("soon", as: Duration.self)?.problem == "is not a duration")
        #expect(failure("", as: Duration.self)?.problem == "is not a duration")
    }

    @Test func `no unit, an unknown unit, and units that differ by a letter`() {
        #expect(failure("5", as: Duration.self)?.problem == "has no unit")
        #expect(failure("5parsec", as: Duration.self)?.problem == "has the unknown unit 'parsec'")
        #expect(failure("5KB", as: ByteCount.self)?.remedy.contains("KiB") == true)
        #expect(failure("5mbps", as: BitRate.self)?.remedy == "write \"Mbps\"")
        #expect(failure("5kb", as: ByteCount.self) != nil)
        // Case carries the meaning: mW is a milliwatt, MW is refused, not a megawatt by accident.
        #expect(failure("5MW", as: Power.self) != nil)
    }

    @Test(arguments: [
        "1.2.3s", "1.s", ".5s", "1e3s", "0x10s", "1,5s", "99999999999999d", "1.0000000001s",
    ])
    func `numbers that are none, or too long, or too great`(text: String) {
        #expect(failure(text, as: Duration.self) != nil)
    }

    @Test(arguments: ["7/5", "101%", "1/0", "-1/2", "1/2/3", "/", "0.5", "half"])
    func `what is no probability`(text: String) {
        let error = failure(text, as: Probability.self)
        #expect(error != nil)
        if text == "7/5" || text == "101%" { #expect(error?.problem == "is greater than 1") }
        if text == "0.5" { #expect(error?.remedy.contains("\"2%\" or \"1/50\"") == true) }
    }

    @Test func `a battery of nothing is none`() {
        #expect(failure("0mAh", as: BatteryCapacity.self)?.problem == "is no battery")
    }

    // MARK: ranges

    @Test func `a range has both ends, a single quantity is a range of itself`() throws {
        let range = try QuantityRange<Duration>(text: "5s..10s")
        #expect(range.lower == .seconds(5) && range.upper == .seconds(10) && !range.isFixed)
        let sizes = try QuantityRange<ByteCount>(text: "200B..2KiB")
        #expect(sizes.lower.bytes == 200 && sizes.upper.bytes == 2_048)
        #expect(try QuantityRange<Duration>(text: "40ms").isFixed)
        #expect(try QuantityRange<Duration>(text: "1s..1000ms").isFixed)
    }

    @Test(arguments: ["10s..5s", "5s..", "..5s", "5s...6s", "5..10s", "1s..2s..3s"])
    func `ranges that are none`(text: String) {
        do throws(QuantityError) {
            _ = try QuantityRange<Duration>(text: text)
            Issue.record("\(text) was read")
        } catch {
            if text == "10s..5s" {
                #expect(error.problem == "is a range that ends before it starts")
            }
        }
    }
}
