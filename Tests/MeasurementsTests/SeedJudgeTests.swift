import Measurements
import Quantities
import Testing
import Trace

/// One judge for a seed, and its result as a line.
@Suite struct SeedJudgeTests {
    private func result() -> SeedResult {
        var script = ObservationScript()
        script.at(0, .processLaunched(ProcessLabel(device: 0, launch: 1), .firstLaunch))
        script.at(0.5, .logged(ProcessLabel(device: 0, launch: 1), "hello\nthere"))
        script.promise(1, 1, "m1", entity: "c1")
        script.effect(2, "m1")
        script.effect(3, "m1", 2)
        script.settle(4, 1)
        script.radio(1, 2, .active, owner: "outbox")
        script.at(5, .fault(index: 1, .fired(detail: "launch 1")))
        script.at(6, .fault(index: 1, .healed))
        script.at(7, .fault(index: 0, .absorbed(reason: "nobody was there")))
        script.at(8, .fault(index: 1, .fired(detail: "launch 2")))
        let judge = SeedJudge(
            SeedJudge.Setting(
                scope: GuaranteeScope(seed: .max, faultNames: ["disk.full", "kill", "clock.jump"]),
                skippedFaults: [2: "names no module of this world"],
                recordsTimeline: true
            )
        )
        script.play(into: [judge], end: 10)
        return judge.result(mode: "captured", fingerprint: "00ff", hostNanoseconds: 12)
    }

    @Test func `a judge bundles metrics, breaches, faults, energy and log`() {
        let result = result()
        #expect(result.value(of: MetricName("outbox.duplicated")) == 1)
        #expect(result.breaches.map(\.guarantee) == [.exactlyOnce])
        #expect(
            result.faults == [
                FaultAccount(index: 0, name: "disk.full", absorbed: 1, detail: "nobody was there"),
                FaultAccount(index: 1, name: "kill", fired: 2, detail: "launch 1"),
                FaultAccount(
                    index: 2,
                    name: "clock.jump",
                    skipped: "names no module of this world"
                ),
            ]
        )
        #expect(result.energy.map(\.owner) == ["outbox"])
        #expect(result.energy[0].activeNanojoules == 500_000_000)
        #expect(result.log.map(\.text) == ["launch 1: hello\nthere"])
        #expect(result.timeline?.faults.map(\.label) == ["kill: launch 1", "kill: launch 2"])
        #expect(result.virtualEnd == ObservationScript.instant(10))
    }

    @Test func `a result crosses a pipe as one line and comes out the same`() throws {
        let result = result()
        let line = try result.encodedLine()
        #expect(!line.contains("\n"))
        #expect(try SeedResult(line: line) == result)
        #expect(try SeedResult(line: line).encodedLine() == line)
    }

    @Test func `what is no result is refused`() {
        for line in ["", "{}", "{\"seed\":1", "not json"] {
            #expect(throws: (any Error).self) { try SeedResult(line: line) }
        }
    }
}
