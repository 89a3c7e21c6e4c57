import Measurements
import Quantities
import Testing
import Trace

/// Processes, memory, disk, screen, and a user's own.
@Suite struct DeviceMetricTests {
    @Test func `each way to die is counted where it belongs`() {
        var script = ObservationScript()
        for (index, cause) in ExitCause.allCases.enumerated() {
            let label = ProcessLabel(device: 0, launch: index + 1)
            script.at(Double(index), .processLaunched(label, .relaunchAfterKill))
            script.at(Double(index) + 0.5, .processEnded(label, cause))
        }
        let run = script.measured(end: 20)
        #expect(run["process.cold_starts"] == Double(ExitCause.allCases.count))
        #expect(run["process.injected_kills"] == 3)
        // Out of memory, out of time, or with a lock held in suspension.
        #expect(run["process.os_kills"] == 3)
        #expect(run["process.memory_kills"] == 1)
    }

    @Test func `memory is the largest total`() {
        var script = ObservationScript()
        for (seconds, size) in [(1.0, 10), (2.0, 50), (3.0, 20)] {
            script.at(
                seconds,
                .memoryChanged(
                    MemoryUse(total: ByteCount(Int64(size)), holders: [], pressure: .normal)
                )
            )
        }
        #expect(script.measured(end: 4)["memory.accounted_peak_bytes"] == 50)
    }

    @Test func `the disk counts writes, syncs and commits, and its peak if it was reported`() {
        var script = ObservationScript()
        script.at(1, .diskWritten(file: "a", .bytes(100)))
        script.at(2, .diskWritten(file: "b", .bytes(50)))
        script.at(3, .diskSynced(file: "a"))
        script.at(4, .committed(database: "a"))
        let unreported = script.measured(end: 5)
        #expect(unreported["storage.written_bytes"] == 150)
        #expect(unreported["storage.syncs"] == 1)
        #expect(unreported["storage.commits"] == 1)
        #expect(unreported["storage.peak_bytes"] == nil)
        script.at(5, .diskUsed(.bytes(700)))
        script.at(6, .diskUsed(.bytes(300)))
        #expect(script.measured(end: 7)["storage.peak_bytes"] == 700)
    }

    @Test func `pictures are counted by tier, and waits only of visible ones`() {
        var script = ObservationScript()
        let servings: [(ImageServing.Source, Bool, Int)] = [
            (.memory, true, 0), (.disk, true, 20), (.network, false, 300), (.network, true, 100),
            (.coalesced, true, 90),
        ]
        for (source, isVisible, wait) in servings {
            script.at(
                1,
                .imageServed(
                    ImageServing(source: source, isVisible: isVisible, wait: .milliseconds(wait))
                )
            )
        }
        script.at(2, .imageDecoded(.bytes(1_000)))
        script.at(3, .bitmapsHeld(.bytes(900)))
        let run = script.measured(end: 4)
        #expect(run["image.requests"] == 5)
        #expect(run["image.network_fetches"] == 2)
        #expect(run["image.memory_hit_pct"] == 20)
        #expect(run["image.disk_hit_pct"] == 20)
        #expect(run["image.decoded_total_bytes"] == 1_000)
        #expect(run["image.bitmap_peak_bytes"] == 900)
        #expect(run[samples: MetricName("image.visible_wait_ms")] == [0, 20, 100, 90])
    }

    @Test func `hitches are over the time in the foreground`() {
        // 30 ms late in 10 s of foreground: 3 ms/s.
        var script = ObservationScript()
        script.at(0, .appStateChanged(.foreground))
        script.at(4, .framesDropped(count: 2, hitch: .milliseconds(20)))
        script.at(6, .appStateChanged(.background))
        script.at(16, .appStateChanged(.foreground))
        script.at(17, .framesDropped(count: 1, hitch: .milliseconds(10)))
        let run = script.measured(end: 20)
        #expect(run["frames.dropped"] == 3)
        #expect(run["frames.hitch_ms_per_s"] == 3)
    }

    @Test func `a user's own measures are samples under their own name`() {
        var script = ObservationScript()
        script.at(1, .measured(name: "search.keystroke_to_result_ms", value: 80))
        script.at(2, .measured(name: "search.keystroke_to_result_ms", value: 120))
        script.at(3, .measured(name: "radio.energy_j", value: 1))
        script.at(4, .userWaited(.milliseconds(1_500)))
        let run = script.measured(end: 5)
        let own = MetricName("search.keystroke_to_result_ms")
        #expect(run[samples: own] == [80, 120])
        #expect(own.unit == .milliseconds)
        #expect(run["radio.energy_j"] == nil, "the lab's own figure cannot be made up")
        #expect(run[samples: MetricName("user.wait_s")] == [1.5])
    }
}
