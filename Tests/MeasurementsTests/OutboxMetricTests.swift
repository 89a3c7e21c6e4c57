import Measurements
import Quantities
import Testing
import Trace

/// What was promised, how long it took, and how fast the outbox drained.
@Suite struct OutboxMetricTests {
    @Test func `a message waits from its promise to its acknowledgement`() {
        var script = ObservationScript()
        script.promise(9.999, 1, "m1")
        script.effect(12, "m1")
        script.settle(13, 1)
        let run = script.measured(end: 20)
        #expect(run["outbox.enqueued"] == 1)
        #expect(run["outbox.acknowledged"] == 1)
        #expect(run[samples: MetricName("outbox.promise_to_ack_s")] == [3])
        #expect(run["outbox.oldest_age_s"] == 3)
        #expect(run["outbox.lost"] == 0)
    }

    @Test func `the outbox drains from the end of each outage and from the last promise`() {
        // Down from 5 to 20 with two messages inside; up at 20, empty at 26: 6 s. A fault heals at
        // 22 while one is still open: 4 s. The last promise at 30 empties at 31: 1 s.
        var script = ObservationScript()
        script.path(5, .down)
        script.promise(9.999, 1, "m1")
        script.promise(14.999, 2, "m2")
        script.path(20, .up)
        script.settle(21, 1)
        script.at(22, .fault(index: 0, .healed))
        script.settle(26, 2)
        script.promise(29.999, 3, "m3")
        script.settle(31, 3)
        let run = script.measured(end: 60)
        #expect(run[samples: MetricName("outbox.drain_s")] == [6, 4, 1])
        #expect(run["outbox.oldest_age_s"] == 11)
    }

    /// Both promised at 10 s and kept at 30 s: 20 s each, and 8 s more from a heal at 22 s.
    @Test func `what heals on a phone is over for it, and what heals in a fleet for all`() {
        func drains(healing device: Int) -> [Double]? {
            var script = ObservationScript()
            for phone: Int64 in [1, 2] {
                let action = UserAction(action: phone, kind: "message.send", identity: "m\(phone)")
                script.at(10, device: Int(phone), .actionStarted(action))
                script.at(10, device: Int(phone), .actionPromised(action: phone))
            }
            script.at(22, device: device, .fault(index: 0, .healed))
            for phone: Int64 in [1, 2] {
                script.at(30, device: Int(phone), .actionSettled(action: phone, .acknowledged))
            }
            return script.measured(end: 60)[samples: MetricName("outbox.drain_s")]
        }
        #expect(drains(healing: 0) == [8, 20, 8, 20])
        #expect(drains(healing: 2) == [20, 8, 20])
        // Phone 3 has done nothing yet: its heal is nobody else's.
        #expect(drains(healing: 3) == [20, 20])
    }

    @Test func `an outage that finds the outbox empty is no drain`() {
        var script = ObservationScript()
        script.promise(0.999, 1, "m1")
        script.settle(2, 1)
        script.path(5, .blackhole)
        script.path(10, .up)
        #expect(script.measured(end: 20)[samples: MetricName("outbox.drain_s")] == [1])
    }

    @Test func `an outbox that never empties drains until the end of the run at least`() {
        var script = ObservationScript()
        script.path(0, .down)
        script.promise(9.999, 1, "m1")
        script.path(20, .up)
        let run = script.measured(end: 100)
        #expect(run[samples: MetricName("outbox.drain_s")] == [80, 90])
        #expect(run["outbox.oldest_age_s"] == 90)
        #expect(run["outbox.acknowledged"] == 0)
    }

    @Test func `what is given up and told is dead-lettered, not acknowledged`() {
        var script = ObservationScript()
        let outcomes: [ActionOutcome] = [
            .deadLettered, .rejected, .expired, .superseded, .acknowledged,
        ]
        for (index, outcome) in outcomes.enumerated() {
            let number = Int64(index + 1)
            script.promise(1, number, "m\(number)")
            script.settle(2, number, outcome)
        }
        let run = script.measured(end: 3)
        #expect(run["outbox.dead_lettered"] == 3)
        #expect(run["outbox.acknowledged"] == 2)
        #expect(run[samples: MetricName("outbox.promise_to_ack_s")]?.count == 1)
    }

    @Test func `what was refused never entered`() {
        var script = ObservationScript()
        script.start(1, 1, "m1")
        script.at(2, .actionRefused(action: 1, reason: "disk full"))
        let run = script.measured(end: 3)
        #expect(run["outbox.enqueued"] == 0)
        #expect(run["outbox.drain_s"] == nil)
    }

    @Test func `an effect settles a kind whose app reports nothing, and the taps before it`() {
        let scope = GuaranteeScope(seed: 1, untoldKinds: ["like.toggle"])
        var script = ObservationScript()
        script.promise(0.999, 1, "t1", group: "post", kind: "like.toggle")
        script.promise(1.999, 2, "t2", group: "post", kind: "like.toggle")
        script.promise(2.999, 3, "t3", group: "post", kind: "like.toggle")
        script.effect(5, "t3")
        let run = script.measured(end: 60, by: RunMeasurement(scope: scope), scope: scope)
        #expect(run["outbox.acknowledged"] == 3)
        #expect(run[samples: MetricName("outbox.promise_to_ack_s")] == [2])
        #expect(run[samples: MetricName("outbox.drain_s")] == [2])
        #expect(run["outbox.oldest_age_s"] == 4)
    }

    @Test func `kinds whose effect no server sees are not the outbox's`() {
        let scope = GuaranteeScope(seed: 1, effectKinds: ["message.send"])
        var script = ObservationScript()
        script.promise(1, 1, "rows-1", kind: "sqlite.insert")
        script.settle(2, 1)
        let run = script.measured(end: 3, by: RunMeasurement(scope: scope), scope: scope)
        #expect(run["outbox.enqueued"] == nil)
        #expect(script.checked(end: 3, scope: scope).breaches.isEmpty)
    }
}
