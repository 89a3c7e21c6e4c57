import Quantities
import Trace

/// Counts requests at the server by windows of a second; longer ones when they become too many.
struct ArrivalRecorder {
    /// Windows that are kept at most: then each two become one.
    static let mostWindows = 720

    private var series: TimelineArrivals

    /// Makes a recorder beside a server that serves so many requests a second; nil for any number.
    init(capacity: Int?) {
        series = TimelineArrivals(windowNanoseconds: 1_000_000_000, capacity: capacity)
    }

    /// What was counted.
    var arrivals: TimelineArrivals { series }

    /// Takes in a request at the server.
    mutating func count(_ request: ServerRequestNote, at instant: SimulationInstant) {
        var index = Int(instant.nanoseconds / series.windowNanoseconds)
        while index >= Self.mostWindows {
            join()
            index = Int(instant.nanoseconds / series.windowNanoseconds)
        }
        while series.requests.count <= index {
            series.requests.append(0)
            series.refused.append(0)
        }
        series.requests[index] += 1
        if request.isRefusal { series.refused[index] += 1 }
    }

    private mutating func join() {
        series.windowNanoseconds *= 2
        series.requests = Self.joined(series.requests)
        series.refused = Self.joined(series.refused)
    }

    private static func joined(_ counts: [Int]) -> [Int] {
        stride(from: 0, to: counts.count, by: 2).map { index in
            counts[index] + (index + 1 < counts.count ? counts[index + 1] : 0)
        }
    }
}
