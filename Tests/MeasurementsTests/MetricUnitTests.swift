import Measurements
import Testing

/// Values as a person reads them.
@Suite struct MetricUnitTests {
    @Test func `values are rounded for reading, and carry their unit`() {
        let cases: [(MetricUnit, Double, String)] = [
            (.seconds, 0, "0 s"), (.seconds, 0.35, "350 ms"), (.seconds, 12.35, "12.35 s"),
            (.seconds, 21.199, "21.2 s"), (.seconds, 0.781_245, "781.2 ms"),
            (.seconds, 250, "4 min 10 s"), (.seconds, 81.632, "1 min 21.6 s"),
            // To a tenth of a second from one minute on: 182.26 is 182.3.
            (.seconds, 182.26, "3 min 2.3 s"),
            (.milliseconds, 12.5, "12.5 ms"), (.milliseconds, 1_500, "1.5 s"),
            (.joules, 873.24, "873.2 J"), (.joules, 5.6, "5.6 J"), (.joules, 41_580, "41,580 J"),
            (.bytes, 51_900_000, "51.9 MB"), (.bytes, 999, "999 B"),
            (.count, 40, "40"), (.count, 1_234_567, "1,234,567"), (.ratio, 1.0449, "1.045"),
            (.percent, 11.428, "11.43 %"), (.percent, -3.5, "-3.5 %"),
            (.millisecondsPerSecond, 3, "3 ms/s"),
        ]
        for (unit, value, text) in cases {
            #expect(unit.text(for: value) == text)
        }
    }

    @Test func `decimals are rounded half away from zero`() {
        #expect(MetricUnit.decimal(2.5, places: 0) == "3")
        #expect(MetricUnit.decimal(-2.5, places: 0) == "-3")
        #expect(MetricUnit.decimal(0.04, places: 1) == "0")
        #expect(MetricUnit.decimal(-0.04, places: 1) == "0")
        #expect(MetricUnit.decimal(1.10, places: 2) == "1.1")
    }
}
