import Foundation
import NetworkModel

/// Compares simulated TCP with completion times of real Linux TCP, point by point.
enum Fidelity {
    /// A point of the reference grid, and what the simulation took for it.
    struct Comparison {
        var point: TCPReferencePoint
        var median: Double
        var tail: Double

        var medianError: Double { log(median / point.median) }
        var tailError: Double { log(tail / point.tail) }
    }

    /// Runs the mode: `fidelity GRID.csv [SEEDS [OUT-FOLDER]]`.
    ///
    /// Prints the table; with a folder, writes `fidelity.csv` and `fidelity.svg` into it.
    static func run(_ arguments: [String]) -> Int32 {
        guard let path = arguments.first else {
            print("usage: Benchmarks fidelity GRID.csv [SEEDS [OUT-FOLDER]]")
            return 64
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            print("\(path): cannot be read; name the grid, such as ../shared/data/tcp/grid.csv")
            return 66
        }
        let seeds = arguments.count > 1 ? Int(arguments[1]) ?? 101 : 101
        let points = TCPReferencePoint.read(text)
        guard !points.isEmpty else {
            print("\(path): has no row of source linux-cubic with twelve columns")
            return 65
        }
        let comparisons = points.map { point in
            let times = point.simulate(seeds: point.isLossy ? seeds : 3)
            return Comparison(point: point, median: times.median, tail: times.tail)
        }
        print(table(comparisons))
        guard arguments.count > 2 else { return 0 }
        do {
            let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )
            try csv(comparisons).write(
                to: folder.appendingPathComponent("fidelity.csv"),
                atomically: true,
                encoding: .utf8
            )
            try FidelityChart(comparisons).svg.write(
                to: folder.appendingPathComponent("fidelity.svg"),
                atomically: true,
                encoding: .utf8
            )
        } catch {
            print("\(arguments[2]): cannot be written: \(error.localizedDescription)")
            return 73
        }
        return 0
    }

    private static func table(_ comparisons: [Comparison]) -> String {
        let title = "|ln(simulated / Linux)|".padding(toLength: 34, withPad: " ", startingAt: 0)
        var lines = [title + "  points   median      p90      max"]
        func add(_ name: String, _ errors: [Double]) {
            let sorted = errors.map(abs).sorted()
            guard let largest = sorted.last else { return }
            let figures = [
                TCPReferencePoint.quantile(sorted, 0.5), TCPReferencePoint.quantile(sorted, 0.9),
                largest,
            ]
            let text = figures.map { String(format: "%9.4f", $0) }.joined()
            lines.append(
                name.padding(toLength: 34, withPad: " ", startingAt: 0)
                    + String(format: "%8d", sorted.count) + text
            )
        }
        let lossy = comparisons.filter(\.point.isLossy)
        add("without loss, p50", comparisons.filter { !$0.point.isLossy }.map(\.medianError))
        for bytes: Int64 in [20_000, 200_000, 2_000_000] {
            let sized = lossy.filter { $0.point.probe.bytes == bytes }
            add("with loss, p50, \(bytes / 1_000) kB", sized.map(\.medianError))
            for loss in ["bern 0.01", "bern 0.03"] {
                add("    \(loss)", sized.filter { $0.point.loss == loss }.map(\.medianError))
            }
        }
        add("with loss, p90", lossy.map(\.tailError))
        return lines.joined(separator: "\n")
    }

    private static func csv(_ comparisons: [Comparison]) -> String {
        var text = "point,linux_p50_s,simulated_p50_s,ln_p50,linux_p90_s,simulated_p90_s,ln_p90\n"
        for each in comparisons {
            let figures = [
                each.point.median, each.median, each.medianError, each.point.tail, each.tail,
                each.tailError,
            ]
            text += each.point.label + ","
            text += figures.map { String(format: "%.4f", $0) }.joined(separator: ",") + "\n"
        }
        return text
    }
}
