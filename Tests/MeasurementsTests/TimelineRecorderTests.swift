import Measurements
import Quantities
import Testing
import Trace

/// Timelines are true, and bounded however long a run is.
@Suite struct TimelineRecorderTests {
    private func timeline(_ script: ObservationScript, end: Double) -> Timeline {
        let recorder = TimelineRecorder(scope: GuaranteeScope(seed: 1, faultNames: ["kill"]))
        script.play(into: [recorder], end: end)
        return recorder.timeline
    }

    @Test func `spans close when the next one opens, and the last one at the end`() {
        var script = ObservationScript()
        script.path(0, .up)
        script.path(10, .down)
        script.at(0, .appStateChanged(.foreground))
        script.at(4, .processEnded(ProcessLabel(device: 0, launch: 1), .injectedKill))
        script.at(4, .fault(index: 0, .fired(detail: "")))
        let timeline = timeline(script, end: 30)
        #expect(timeline.path.map(\.kind) == ["up", "down"])
        #expect(timeline.path.map(\.length) == [.seconds(10), .seconds(20)])
        #expect(timeline.path[0].value == 1_000_000)
        #expect(timeline.app.map(\.kind) == ["foreground", "notRunning"])
        #expect(timeline.marks.map(\.kind) == ["kill"])
        #expect(timeline.faults.map(\.end) == [ObservationScript.instant(4)])
    }

    @Test func `depth and progress follow what was promised and shown`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        script.promise(2, 2, "m2")
        script.settle(3, 1)
        script.pick(4, 3, "photo1")
        script.at(5, .uploadProgress(action: 3, shown: .bytes(400)))
        script.settle(6, 3)
        let timeline = timeline(script, end: 10)
        #expect(timeline.outboxDepth.map(\.value) == [1, 2, 1])
        #expect(timeline.uploads.map(\.name) == ["photo1"])
        #expect(timeline.uploads[0].points.map(\.value) == [400, 1_000])
    }

    @Test func `forty thousand points and spans leave some hundreds, and the peaks`() {
        var script = ObservationScript()
        for index in 0..<40_000 {
            let seconds = Double(index) / 10
            // Busy for 100 s, at rest for 100 s, with a blink of rest in each tenth of a second.
            let kind: RadioInterval.Kind = index / 1_000 % 2 == 0 ? .active : .tail
            script.radio(seconds, seconds + 0.09, kind)
            script.radio(seconds + 0.09, seconds + 0.1, .idle)
            let size = index == 12_345 ? 999 : index % 7
            script.at(
                seconds + 0.1,
                .memoryChanged(
                    MemoryUse(total: .bytes(Int64(size)), holders: [], pressure: .normal)
                )
            )
        }
        let timeline = timeline(script, end: 4_000)
        #expect(timeline.radios[0].spans.count <= 720)
        let active = timeline.radios[0].spans.filter { $0.kind == "active" }
        let time = active.reduce(0) { $0 + $1.length.inSeconds }
        // Half of 4,000 s, to within a grain at each of 40 changes.
        #expect(abs(time - 2_000) < 200)
        #expect(active.count >= 20)
        #expect(timeline.memory.count <= 480)
        #expect(timeline.memory.map(\.value).max() == 999)
        #expect(timeline.radios[0].spans.first?.start == .zero)
        #expect(timeline.radios[0].spans.last?.end == ObservationScript.instant(4_000))
        for (left, right) in zip(timeline.radios[0].spans, timeline.radios[0].spans.dropFirst()) {
            #expect(left.end == right.start)
        }
    }

    @Test func `another device is another timeline`() {
        var script = ObservationScript()
        script.at(1, device: 1, .appStateChanged(.foreground))
        #expect(timeline(script, end: 10).app.isEmpty)
    }
}
