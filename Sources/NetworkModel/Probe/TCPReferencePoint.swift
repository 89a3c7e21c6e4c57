import Quantities
import Trace

/// One point of the reference grid: an exchange, and how long real Linux TCP took for it.
///
/// The grid is described in `data/tcp/README.md`: completion times over an emulated bottleneck.
package struct TCPReferencePoint: Sendable {
    /// What to run.
    package var probe: TCPExchangeProbe
    /// Direction, bytes, rate over round trip, loss and queue, as one line.
    package var label: String
    /// The loss as the grid writes it: "none", "bern P" or "ge P R 1-H 1-K".
    package var loss: String
    /// Median of Linux's completion times, in seconds.
    package var median: Double
    /// Their 90th percentile.
    package var tail: Double

    /// Whether packets are lost by chance.
    package var isLossy: Bool { loss != "none" }

    /// Reads the rows of one source from the grid's CSV; rows of other sources are left out.
    package static func read(_ text: String, source: String = "linux-cubic") -> [TCPReferencePoint]
    {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            point(line.split(separator: ",", omittingEmptySubsequences: false), source)
        }
    }

    private static func point(_ fields: [Substring], _ source: String) -> TCPReferencePoint? {
        guard fields.count == 12, fields[0] == source, let bytes = Int64(fields[2]),
            let rate = Int64(fields[3]), let rtt = Int64(fields[4]), let queue = Int(fields[6]),
            let median = Double(fields[9]), let tail = Double(fields[11]),
            let loss = model(fields[5])
        else { return nil }
        let probe = TCPExchangeProbe(
            direction: fields[1] == "up" ? .up : .down,
            bytes: bytes,
            rate: .kilobitsPerSecond(rate),
            rtt: .milliseconds(rtt),
            queue: queue,
            loss: loss
        )
        let label = "\(fields[1]) \(bytes) B \(rate) kbit/s \(rtt) ms \(fields[5]) Q \(queue)"
        return TCPReferencePoint(
            probe: probe,
            label: label,
            loss: String(fields[5]),
            median: median,
            tail: tail
        )
    }

    private static func model(_ text: Substring) -> LossModel? {
        let parts = text.split(separator: " ")
        let chances = parts.dropFirst().compactMap { Double($0) }.map {
            Probability.perMillion(UInt64(($0 * 1e6).rounded()))
        }
        switch (parts.first, chances.count) {
        case ("none", 0): return LossModel.none
        case ("bern", 1): return .bernoulli(chances[0])
        case ("ge", 4):
            return .gilbertElliottByPacket(
                toBad: chances[0],
                toGood: chances[1],
                lossInBad: chances[2],
                lossInGood: chances[3]
            )
        default: return nil
        }
    }

    /// Median and 90th percentile of simulated completion times, one for each seed from 1.
    ///
    /// An exchange that did not end counts as infinite, as in the grid.
    package func simulate(seeds: Int) -> (median: Double, tail: Double) {
        let times = (1...max(1, seeds)).map {
            probe.run(seed: UInt64($0))?.inSeconds ?? .infinity
        }.sorted()
        return (Self.quantile(times, 0.5), Self.quantile(times, 0.9))
    }

    /// A quantile between order statistics, as the grid's are.
    package static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let position = share * Double(sorted.count - 1)
        let low = Int(position)
        let fraction = position - Double(low)
        guard fraction > 0 else { return sorted[low] }
        guard sorted[low + 1].isFinite else { return .infinity }
        return sorted[low] + (sorted[low + 1] - sorted[low]) * fraction
    }
}
