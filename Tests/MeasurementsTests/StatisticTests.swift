import Measurements
import Testing

/// Nearest rank by hand: rank ceil(p * n / 100) of the sorted values.
@Suite struct StatisticTests {
    @Test func `percentiles of 20 values are ranks 10, 18, 19 and 20`() {
        // ceil(50*20/100) = 10, ceil(90*20/100) = 18, ceil(95*20/100) = 19, ceil(99*20/100) = 20.
        let values = (1...20).map { Double($0 * 10) }.reversed()
        let expected: [(Statistic, Double)] = [
            (.min, 10), (.mean, 105), (.p50, 100), (.p90, 180), (.p95, 190), (.p99, 200),
            (.max, 200),
        ]
        for (statistic, value) in expected {
            #expect(statistic.value(of: Array(values)) == value, "\(statistic)")
        }
    }

    @Test func `percentiles of 5 values are ranks 3, 5, 5 and 5`() {
        // ceil(2.5) = 3, ceil(4.5) = 5, ceil(4.75) = 5, ceil(4.95) = 5.
        let values: [Double] = [15, 20, 35, 40, 50]
        #expect(Statistic.p50.value(of: values) == 35)
        #expect(Statistic.p90.value(of: values) == 50)
        #expect(Statistic.p95.value(of: values) == 50)
        #expect(Statistic.p99.value(of: values) == 50)
    }

    @Test func `one value is every statistic, and none is no statistic`() {
        for statistic in Statistic.allCases {
            #expect(statistic.value(of: [7]) == 7)
            #expect(statistic.value(of: []) == nil)
        }
    }

    @Test func `a percentile is more than the maximum from 2, 10, 20 and 100 values on`() {
        let expected: [(Statistic, Int)] = [(.p50, 2), (.p90, 10), (.p95, 20), (.p99, 100)]
        for (statistic, count) in expected {
            #expect(statistic.smallestUsefulCount == count)
            let enough = (1...count).map(Double.init)
            #expect(statistic.value(of: enough) != Statistic.max.value(of: enough))
            let few = (1..<count).map(Double.init)
            #expect(statistic.value(of: few) == Statistic.max.value(of: few))
        }
    }
}
