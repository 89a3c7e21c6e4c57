import Quantities
import Testing
import Trace

@testable import Measurements

/// Requests at the server by windows.
@Suite struct ArrivalRecorderTests {
    private func note(refused: Bool = false) -> ServerRequestNote {
        ServerRequestNote(route: "GET /feed", status: refused ? 503 : 200, isRefusal: refused)
    }

    @Test func `requests are counted by the second, and refusals among them`() {
        var recorder = ArrivalRecorder(capacity: 100)
        for seconds in [0, 0, 2] as [Int64] {
            recorder.count(note(), at: .zero + .seconds(seconds) + .milliseconds(999))
        }
        recorder.count(note(refused: true), at: .zero + .seconds(2))
        let arrivals = recorder.arrivals
        #expect(arrivals.requests == [2, 0, 2])
        #expect(arrivals.refused == [0, 0, 1])
        #expect(arrivals.capacity == 100)
        #expect(arrivals.start(of: 2) == .zero + .seconds(2))
    }

    /// 720 windows of a second are kept; the request at 720 s makes them 360 of two seconds.
    @Test func `a long run is counted by longer windows, and nothing is dropped`() {
        var recorder = ArrivalRecorder(capacity: nil)
        for second in 0..<720 { recorder.count(note(), at: .zero + .seconds(second)) }
        #expect(recorder.arrivals.requests.count == 720)
        recorder.count(note(), at: .zero + .seconds(720))
        let arrivals = recorder.arrivals
        #expect(arrivals.windowNanoseconds == 2_000_000_000)
        #expect(arrivals.requests == [Int](repeating: 2, count: 360) + [1])
        #expect(arrivals.perSecond(2) == 1)
        // A day of 86,400 s: windows of 128 s, 675 of them.
        recorder.count(note(), at: .zero + .seconds(86_399))
        #expect(recorder.arrivals.windowNanoseconds == 128_000_000_000)
        #expect(recorder.arrivals.requests.count == 675)
        #expect(recorder.arrivals.requests.reduce(0, +) == 722)
    }
}
