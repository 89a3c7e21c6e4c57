import Quantities

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Real time since it was made; outside a world's run, clocks are real.
struct Stopwatch {
    private let start = ContinuousClock.now

    /// Seconds since it was made.
    var seconds: Double { (ContinuousClock.now - start).inSeconds }
}

/// One line a run, in the shape that the peers print.
enum ResultLine {
    static func print(
        _ workload: String,
        _ peer: String,
        _ size: Int,
        _ operations: Int,
        setUp: Double,
        wall: Double,
        end: SimulationInstant
    ) {
        let rate = Int(Double(operations) / wall)
        Swift.print(
            "RESULT",
            workload,
            peer,
            size,
            operations,
            decimal(setUp, 4),
            decimal(wall, 4),
            "\(rate).0",
            decimal(peakMebibytes(), 1),
            "simend=\(decimal(end.inSeconds, 4))",
            separator: "\t"
        )
    }

    private static func decimal(_ value: Double, _ places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((value * scale).rounded())
        let whole = scaled / Int(scale)
        let rest = String(scaled % Int(scale))
        return "\(whole).\(String(repeating: "0", count: places - rest.count))\(rest)"
    }

    private static func peakMebibytes() -> Double {
        var usage = rusage()
        #if os(Linux)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1_024
        #else
        getrusage(RUSAGE_SELF, &usage)
        return Double(usage.ru_maxrss) / 1_048_576
        #endif
    }
}

extension SimulationInstant {
    /// Seconds, for the result line.
    fileprivate var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
