import Measurements
import Quantities
import Testing
import Trace

/// Bytes, requests, attempts, and the server's side of them.
@Suite struct NetworkMetricTests {
    @Test func `bytes are sizes of IP packets, and payload where it crossed again`() {
        var script = ObservationScript()
        script.packet(1, .up, size: 1_500, payload: 1_448)
        script.packet(2, .up, size: 1_500, payload: 1_448, again: true, metered: true)
        script.packet(3, .down, size: 52, payload: 0, metered: true)
        script.packet(4, .down, size: 552, payload: 500, again: true)
        script.at(5, .responseDiscarded(request: 3, .bytes(321)))
        let run = script.measured(end: 6)
        #expect(run["network.up_bytes"] == 3_000)
        #expect(run["network.down_bytes"] == 604)
        #expect(run["network.retransmitted_bytes"] == 1_948)
        #expect(run["network.metered_bytes"] == 1_552)
        #expect(run["network.discarded_bytes"] == 321)
    }

    @Test func `a connection without TLS is a connection without a handshake`() {
        var script = ObservationScript()
        for (number, security) in ["none", "tls1.3", "tls1.3-resumed"].enumerated() {
            script.at(
                1,
                .connectionOpened(
                    ConnectionOpening(
                        connection: Int64(number),
                        host: "a",
                        applicationProtocol: "http/1.1",
                        security: security,
                        handshake: .zero,
                        owner: "app"
                    )
                )
            )
        }
        let run = script.measured(end: 2)
        #expect(run["network.connections"] == 3)
        #expect(run["network.handshakes"] == 2)
    }

    @Test func `a network that nobody used gives zeros, and no network gives nothing`() {
        var script = ObservationScript()
        script.path(0, .down)
        let run = script.measured(end: 60)
        #expect(run["network.up_bytes"] == 0)
        #expect(run["network.requests"] == 0)
        #expect(run["retry.amplification"] == nil)
        #expect(ObservationScript().measured(end: 60).readings.isEmpty)
    }

    @Test func `a thousand calls with five retries each amplify six times`() {
        // F8 without a retry budget: 1,000 x (1 + 5) / 1,000 = 6.
        var script = ObservationScript()
        var number: Int64 = 0
        for call in 0..<1_000 {
            for _ in 0..<6 {
                number += 1
                script.request(Double(number), number, "call \(call)")
            }
        }
        let run = script.measured(end: 7_000)
        #expect(run["retry.attempts"] == 6_000)
        #expect(run["retry.amplification"] == 6)
        #expect(run["network.requests"] == 6_000)
    }

    @Test func `requests without an operation are no attempts`() {
        var script = ObservationScript()
        script.request(1, 1, "")
        script.request(2, 2, "a")
        let run = script.measured(end: 3)
        #expect(run["network.requests"] == 2)
        #expect(run["retry.attempts"] == 1)
        #expect(run["retry.amplification"] == 1)
    }

    @Test func `the peak is of windows that adjoin from the start`() {
        // 0.00, 0.05, 0.099 in the first 100 ms; 0.10 and 0.199 in the second; 0.35 in the fourth.
        var script = ObservationScript()
        for seconds in [0, 0.05, 0.099, 0.1, 0.199, 0.35] {
            script.at(seconds, .serverRequest(ServerRequestNote(route: "GET /", status: 200)))
        }
        let run = script.measured(end: 1)
        #expect(run["server.requests"] == 6)
        #expect(run["server.peak_requests"] == 3)
        let wide = script.measured(end: 1, by: RunMeasurement(serverWindow: .milliseconds(200)))
        #expect(wide["server.peak_requests"] == 5)
    }

    @Test func `a request that never arrived leaves the server at zero, not absent`() {
        var script = ObservationScript()
        script.request(1, 1, "a")
        #expect(script.measured(end: 2)["server.requests"] == 0)
    }
}
