import Foundation
import NetworkModel
import Quantities
import Trace

/// Compares simulated TCP with completion times of real Linux TCP, point by point.
enum Fidelity {
    /// One point of the reference grid, and what Linux took.
    struct Point {
        var probe: TCPExchangeProbe
        var label: String
        var isLossy: Bool
        var bytes: Int64
        var loss: String
        var linuxMedian: Double
        var linuxTail: Double
        var median = 0.0
        var tail = 0.0
    }

    /// Runs the mode: `fidelity GRID.csv [SEEDS [CSV-OUT]]`.
    static func run(_ arguments: [String]) -> Int32 {
        guard let path = arguments.first,
            let text = try? String(contentsOfFile: path, encoding: .utf8)
        else {
            print("usage: Benchmarks fidelity GRID.csv [SEEDS [OUT.csv]]")
            return 64
        }
        let seeds = arguments.count > 1 ? Int(arguments[1]) ?? 41 : 41
        var points = read(text)
        for index in points.indices {
            let times = (1...(points[index].isLossy ? seeds : 3)).map {
                points[index].probe.run(seed: UInt64($0))?.inSeconds ?? .infinity
            }.sorted()
            points[index].median = quantile(times, 0.5)
            points[index].tail = quantile(times, 0.9)
        }
        if arguments.count > 2 { write(points, to: arguments[2]) }
        summarise(points)
        return 0
    }

    static func read(_ text: String) -> [Point] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ",").map(String.init)
            guard fields.count == 12, fields[0] == "linux-cubic", let bytes = Int64(fields[2]),
                let rate = Int64(fields[3]), let rtt = Int64(fields[4]), let queue = Int(fields[6]),
                let median = Double(fields[9]), let tail = Double(fields[11])
            else { return nil }
            let probe = TCPExchangeProbe(
                direction: fields[1] == "up" ? .up : .down,
                bytes: bytes,
                rate: .kilobitsPerSecond(rate),
                rtt: .milliseconds(rtt),
                queue: queue,
                loss: loss(fields[5])
            )
            let label = "\(fields[1]) \(bytes) \(rate)/\(rtt) \(fields[5]) q\(queue)"
            return Point(
                probe: probe,
                label: label,
                isLossy: fields[5] != "none",
                bytes: bytes,
                loss: fields[5],
                linuxMedian: median,
                linuxTail: tail
            )
        }
    }

    private static func loss(_ text: String) -> LossModel {
        let parts = text.split(separator: " ")
        let chances = parts.dropFirst().map {
            Probability.perMillion(UInt64(((Double($0) ?? 0) * 1e6).rounded()))
        }
        switch parts.first {
        case "bern": return .bernoulli(chances[0])
        case "ge":
            return .gilbertElliottByPacket(
                toBad: chances[0],
                toGood: chances[1],
                lossInBad: chances[2],
                lossInGood: chances[3]
            )
        default: return .none
        }
    }

    /// Interpolates between order statistics, as the reference does.
    static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let position = share * Double(sorted.count - 1)
        let low = Int(position)
        let high = min(low + 1, sorted.count - 1)
        if sorted[high].isInfinite {
            return sorted[low] == sorted[high] || position > Double(low) ? .infinity : sorted[low]
        }
        return sorted[low] + (sorted[high] - sorted[low]) * (position - Double(low))
    }

    private static func summarise(_ points: [Point]) {
        func show(_ name: String, _ values: [Double]) {
            let sorted = values.sorted()
            guard !sorted.isEmpty else { return }
            let figures = [quantile(sorted, 0.5), quantile(sorted, 0.9), sorted[sorted.count - 1]]
            let text = figures.map { String(format: "%8.4f", $0) }.joined()
            print(name.padding(toLength: 34, withPad: " ", startingAt: 0), sorted.count, text)
        }
        func medians(_ chosen: (Point) -> Bool) -> [Double] {
            points.filter(chosen).map { abs(log($0.median / $0.linuxMedian)) }
        }
        print("|ln(simulated / Linux)|            points  median     p90     max")
        show("lossless p50", medians { !$0.isLossy })
        for bytes: Int64 in [20_000, 200_000, 2_000_000] {
            show("lossy p50 \(bytes)", medians { $0.isLossy && $0.bytes == bytes })
            for loss in ["bern 0.01", "bern 0.03"] {
                show("  \(loss)", medians { $0.loss == loss && $0.bytes == bytes })
            }
        }
        let tails = points.filter(\.isLossy).map { abs(log($0.tail / $0.linuxTail)) }
        show("lossy p90", tails)
    }

    private static func write(_ points: [Point], to path: String) {
        var text = "point,linux_p50_s,p50_s,ln_p50,linux_p90_s,p90_s,ln_p90\n"
        for point in points {
            text += String(
                format: "%@,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n",
                point.label,
                point.linuxMedian,
                point.median,
                log(point.median / point.linuxMedian),
                point.linuxTail,
                point.tail,
                log(point.tail / point.linuxTail)
            )
        }
        try? text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
