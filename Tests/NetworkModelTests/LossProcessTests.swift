import Quantities
import SimulationKernel
import Testing

@testable import NetworkModel

@Suite struct `Loss process` {
    private func share(_ model: LossModel, packets: Int, spacing: Int64, seed: UInt64) -> Double {
        let simulation = Simulation(seed: seed)
        let process = LossProcess(
            model,
            lossDraws: simulation.stream("l"),
            stateDraws: simulation.stream("s"),
            at: 0
        )
        var lost = 0
        for number in 0..<packets where process.loses(at: Int64(number) * spacing) { lost += 1 }
        return Double(lost) / Double(packets)
    }

    // sigma = sqrt(p (1 - p) / n) = sqrt(0.03 x 0.97 / 200,000) = 0.000381.
    @Test func `Bernoulli loses its share`() {
        let model = LossModel.bernoulli(.percent(3))
        #expect(abs(share(model, packets: 200_000, spacing: 1, seed: 3) - 0.03) < 3 * 0.000_381)
    }

    // p = 1 %, r = 20 %: bad p/(p+r) = 0.047619 of the time, all lost in bad. The chain's correlation
    // is 1-p-r = 0.79, so the variance is (1+0.79)/(1-0.79) = 8.52 times the binomial's:
    // sigma = sqrt(0.04762 x 0.95238 x 8.52 / 1,000,000) = 0.000622.
    @Test func `Gilbert-Elliott by packet meets its steady state`() {
        let model = LossModel.gilbertElliottByPacket(
            toBad: .percent(1),
            toGood: .percent(20),
            lossInBad: .always,
            lossInGood: .never
        )
        let seen = share(model, packets: 1_000_000, spacing: 1, seed: 5)
        #expect(abs(seen - 0.047_619) < 3 * 0.000_622)
    }

    // A bad run is geometric with mean 1/r = 5 packets: sigma of the mean of n runs is
    // sqrt((1-r)/r^2/n) = sqrt(20/n).
    @Test func `Gilbert-Elliott by packet loses in bursts of one over r`() {
        let simulation = Simulation(seed: 11)
        let process = LossProcess(
            .gilbertElliottByPacket(
                toBad: .percent(1),
                toGood: .percent(20),
                lossInBad: .always,
                lossInGood: .never
            ),
            lossDraws: simulation.stream("l"),
            stateDraws: simulation.stream("s"),
            at: 0
        )
        var runs = 0
        var lost = 0
        var wasLost = false
        for number in 0..<500_000 {
            let isLost = process.loses(at: Int64(number))
            if isLost { lost += 1 }
            if isLost, !wasLost { runs += 1 }
            wasLost = isLost
        }
        let mean = Double(lost) / Double(runs)
        // Two runs that touch count as one: chance p, so 1 % longer.
        let sigma = (20 / Double(runs)).squareRoot()
        #expect(abs(mean - 5.0 / 0.99) < 3 * sigma)
    }

    // Good 2 s, bad 0.5 s on average: bad 0.2 of the time, 60 % lost there: 0.12. Over 20,000 s there
    // are about 8,000 cycles; sigma of the share of bad time is about
    // sqrt(2 x 2^2 x 0.5^2 / 2.5^3 / 20,000) = 0.00253, times 0.6, and 0.0007 of the draws.
    @Test func `Gilbert-Elliott by time loses by the clock, not by the packet`() {
        let model = LossModel.gilbertElliottByTime(
            goodMean: .seconds(2),
            badMean: .milliseconds(500),
            lossInGood: .never,
            lossInBad: .percent(60)
        )
        for (spacing, packets) in [(Int64(100_000_000), 200_000), (1_000_000_000, 20_000)] {
            let seen = share(model, packets: packets, spacing: spacing, seed: 7)
            #expect(abs(seen - 0.12) < 0.008)
        }
    }

    // Outages that come as a Poisson process: the way is up for an exponential time of mean g = 10 ms, then
    // drops everything for one of mean b = 2.5 ms. Share lost: b / (g + b) = 0.2. A packet every 5 ms for
    // T = 5,000 s: sigma of the share of time sqrt(2 g^2 b^2 / ((g + b)^3 T)) = 0.00036, and of a million
    // draws 0.0004: together 0.27 % of 0.2, so 1 % is more than three sigma.
    @Test(arguments: [23, 24, 25] as [UInt64])
    func `Poisson drops meet their closed form within 1 % over a million packets`(seed: UInt64) {
        let model = LossModel.gilbertElliottByTime(
            goodMean: .milliseconds(10),
            badMean: .microseconds(2_500),
            lossInGood: .never,
            lossInBad: .always
        )
        let seen = share(model, packets: 1_000_000, spacing: 5_000_000, seed: seed)
        #expect(abs(seen / 0.2 - 1) < 0.01)
    }

    // The time to the first of them is exponential: a transfer of length t escapes with chance e^(-t/g). An
    // outage outlives the transfer (mean 10^6 s), so that its packets at 30 s and 60 s show whether one began.
    // Sigma of the share of 200,000 is sqrt(q (1 - q) / n): 0.00108 for e^-1, 0.00076 for e^-2; outages that
    // were over again are 3 x 10^-5 at most.
    @Test func `a transfer escapes Poisson drops as often as the closed form says`() {
        let model = LossModel.gilbertElliottByTime(
            goodMean: .seconds(30),
            badMean: .seconds(1_000_000),
            lossInGood: .never,
            lossInBad: .always
        )
        let simulation = Simulation(seed: 31)
        var process = LossProcess(
            model,
            lossDraws: simulation.stream("l"),
            stateDraws: simulation.stream("s"),
            at: 0
        )
        let second: Int64 = 1_000_000_000
        var (beyondOne, beyondTwo) = (0, 0)
        for number in 0..<Int64(200_000) {
            let start = number * 100 * second
            process = process.continued(with: model, at: start)
            if !process.loses(at: start + 30 * second) { beyondOne += 1 }
            if !process.loses(at: start + 60 * second) { beyondTwo += 1 }
        }
        #expect(abs(Double(beyondOne) / 200_000 - 0.367_879) < 3 * 0.001_08)
        #expect(abs(Double(beyondTwo) / 200_000 - 0.135_335) < 3 * 0.000_76)
    }

    // p = 10 %, r = 40 %: bad 0.1 / 0.5 = 0.2 of the time, 80 % lost in bad and 5 % in good:
    // 0.2 x 0.8 + 0.8 x 0.05 = 0.2. The bad share's sigma: correlation 0.5, so variance 3 times the
    // binomial's: sqrt(0.2 x 0.8 x 3 / 10^6) = 0.0007, times 0.75, and 0.0003 of the draws:
    // 0.0006 together, 0.3 % of 0.2. So 1 % is more than three sigma.
    @Test func `Gilbert-Elliott meets its closed form within 1 % over a million packets`() {
        let model = LossModel.gilbertElliottByPacket(
            toBad: .percent(10),
            toGood: .percent(40),
            lossInBad: .percent(80),
            lossInGood: .percent(5)
        )
        let seen = share(model, packets: 1_000_000, spacing: 1, seed: 17)
        #expect(abs(seen / 0.2 - 1) < 0.01)
    }

    // All lost in bad, none in good: a run ends with chance r at each packet, so it lasts 1/r = 2.5; a stay
    // in good is at least one packet, so runs do not touch. About 80,000 runs, sigma sqrt(1 - 0.4) / 0.4 = 1.94 each: 0.007 of the
    // mean, 0.27 %.
    @Test func `bursts last one over r within 1 % over a million packets`() {
        let simulation = Simulation(seed: 19)
        let process = LossProcess(
            .gilbertElliottByPacket(
                toBad: .percent(10),
                toGood: .percent(40),
                lossInBad: .always,
                lossInGood: .never
            ),
            lossDraws: simulation.stream("l"),
            stateDraws: simulation.stream("s"),
            at: 0
        )
        var (runs, lost, wasLost) = (0, 0, false)
        for number in 0..<1_000_000 {
            let isLost = process.loses(at: Int64(number))
            lost += isLost ? 1 : 0
            runs += isLost && !wasLost ? 1 : 0
            wasLost = isLost
        }
        #expect(abs(Double(lost) / Double(runs) / 2.5 - 1) < 0.01)
        #expect(abs(Double(lost) / 1_000_000 / 0.2 - 1) < 0.01)
    }

    // Bernoulli has no memory: P(lost | the one before was lost) = p.
    @Test func `a Bernoulli loss says nothing of the next, within 1 % over a million`() {
        let simulation = Simulation(seed: 23)
        let process = LossProcess(
            .bernoulli(.percent(30)),
            lossDraws: simulation.stream("l"),
            stateDraws: simulation.stream("s"),
            at: 0
        )
        var (lost, pairs, wasLost) = (0, 0, false)
        for number in 0..<1_000_000 {
            let isLost = process.loses(at: Int64(number))
            lost += isLost ? 1 : 0
            pairs += isLost && wasLost ? 1 : 0
            wasLost = isLost
        }
        // sigma of the share: sqrt(0.3 x 0.7 / 10^6) = 0.00046, 0.15 %; of the pairs': of 300,000 draws
        // sqrt(0.21 / 300,000) = 0.00084, 0.28 %.
        #expect(abs(Double(lost) / 1_000_000 / 0.3 - 1) < 0.01)
        #expect(abs(Double(pairs) / Double(lost) / 0.3 - 1) < 0.01)
    }
}
