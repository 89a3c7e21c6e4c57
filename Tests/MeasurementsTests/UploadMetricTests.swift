import Measurements
import Quantities
import Testing
import Trace

/// What uploads cost on the way, and how they ended.
@Suite struct UploadMetricTests {
    /// One upload of 1,000 bytes in two chunks; the second is sent twice.
    static func resentChunk() -> ObservationScript {
        var script = ObservationScript()
        script.pick(0, 1, "photo1")
        script.request(1, 1, "create", owner: "uploader", route: "POST /files")
        script.packet(1.1, .up, size: 252, payload: 200, owner: "uploader")
        script.upload(1.2, .created(length: .bytes(1_000)), request: 1)
        for (number, payload) in [(Int64(2), 500), (3, 400), (4, 500)] {
            script.request(Double(number), number, "chunk\(number)", owner: "uploader")
            script.packet(
                Double(number) + 0.1,
                .up,
                size: payload + 52,
                payload: payload,
                owner: "uploader"
            )
        }
        script.packet(4.2, .up, size: 352, payload: 300, owner: "outbox")
        script.packet(4.3, .down, size: 352, payload: 300, owner: "uploader")
        script.upload(4.4, .appended(offset: .bytes(1_000)), request: 4)
        script.upload(4.5, .completed(digest: 42), request: 4)
        script.settle(5, 1)
        return script
    }

    @Test func `overhead is what left the phone for uploads beyond what was kept`() {
        // 200 + 500 + 400 + 500 = 1,600 payload bytes for 1,000 kept: 60 %.
        let run = Self.resentChunk().measured(end: 10)
        #expect(run["upload.sent_bytes"] == 1_600)
        let overhead = run["upload.overhead_pct"] ?? 0
        #expect(abs(overhead - 60) < 1e-9)
        #expect(run["upload.sessions"] == 1)
        #expect(run["upload.finished"] == 1)
        #expect(run["upload.failed"] == 0)
        #expect(run[samples: MetricName("upload.duration_s")] == [5])
        #expect(run["upload.corrupt"] == 0)
        #expect(run["outbox.enqueued"] == nil, "an upload is not the outbox's")
    }

    @Test func `bytes that the server let expire were not kept`() {
        var script = Self.resentChunk()
        script.upload(6, .expired)
        #expect(script.measured(end: 10)["upload.overhead_pct"] == nil)
    }

    @Test func `uploads that are given up have failed and have no duration`() {
        var script = ObservationScript()
        script.pick(0, 1, "photo1")
        script.settle(9, 1, .sourceUnavailable)
        let run = script.measured(end: 10)
        #expect(run["upload.failed"] == 1)
        #expect(run["upload.finished"] == 0)
        #expect(run["upload.duration_s"] == nil)
        #expect(run["upload.sent_bytes"] == nil)
    }
}
