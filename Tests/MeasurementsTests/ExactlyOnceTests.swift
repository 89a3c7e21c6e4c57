import Measurements
import Quantities
import Testing
import Trace

/// `outbox.exactly_once`: right ways, and each way to break it.
@Suite struct ExactlyOnceTests {
    private func names(_ checks: GuaranteeChecks) -> [GuaranteeName] {
        checks.breaches.map(\.guarantee)
    }

    @Test func `a promised message that takes effect and is told breaks nothing`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1", entity: "c1")
        script.effect(2, "m1")
        script.settle(3, 1)
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    @Test func `a promised message without an effect is lost`() throws {
        var script = ObservationScript()
        script.promise(1, 1, "m1", entity: "c1")
        script.settle(3, 1)
        let checks = script.checked(end: 600)
        #expect(names(checks) == [.exactlyOnce])
        #expect(checks.counts.lost == 1)
        let breach = try #require(checks.breaches.first)
        #expect(
            breach.message == "message 'm1' was promised at 1.001 s and never took effect at the "
                + "server, although the app said at 3 s that it had"
        )
        #expect(breach.seed == 7)
        #expect(breach.subject == "m1")
        #expect(
            breach.failureIdentity
                == FailureIdentity(guarantee: .exactlyOnce, entity: "c1", owner: "message.send")
        )
    }

    @Test func `a message that is promised and forgotten is lost and stuck`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        let checks = script.checked(end: 600)
        #expect(names(checks) == [.exactlyOnce, .settles])
        #expect(
            checks.breaches[0].message
                == "message 'm1' was promised at 1.001 s and never took effect at the server by "
                + "the end, 10 min"
        )
    }

    @Test func `a second effect is a duplicate, and its story tells why`() throws {
        var script = ObservationScript()
        script.promise(1, 1, "m12", entity: "c1")
        script.request(2, 10, "op12")
        script.effect(182, "m12", request: 10, key: 5)
        script.at(183, .processEnded(ProcessLabel(device: 0, launch: 1), .injectedKill))
        script.at(185, .requestEnded(RequestEnd(request: 10, result: .failure("timedOut"))))
        script.request(188, 11, "op12")
        script.effect(189, "m12", 2, request: 11, key: 6)
        script.settle(190, 1)
        let checks = script.checked(end: 600)
        #expect(names(checks) == [.exactlyOnce])
        #expect(checks.counts.duplicated == 1)
        let breach = try #require(checks.breaches.first)
        #expect(
            breach.message == "message 'm12' took effect twice at the server: at 3 min 2 s and at "
                + "3 min 9 s (POST /messages); the answer to the first never arrived: request 10 "
                + "failed: timedOut at 3 min 5 s; the idempotency keys differed"
        )
        #expect(breach.instant == ObservationScript.instant(189))
        #expect(
            breach.story.map(\.text) == [
                "message.send began", "promised to the person", "request 10 sent: POST /messages",
                "took effect at the server (POST /messages)", "app ended: injectedKill",
                "request 10 failed: timedOut", "request 11 sent: POST /messages",
                "took effect at the server (POST /messages, again)",
            ]
        )
    }

    @Test func `a duplicate under one key blames the server's memory, not the client's`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        script.effect(2, "m1", key: 5)
        script.effect(3, "m1", 2, key: 5)
        script.settle(4, 1)
        let checks = script.checked(end: 10)
        #expect(checks.breaches[0].message.hasSuffix("both carried the same idempotency key"))
    }

    @Test func `a third effect counts on the same breach`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        for occurrence in 1...3 { script.effect(Double(1 + occurrence), "m1", occurrence) }
        script.settle(5, 1)
        let checks = script.checked(end: 10)
        #expect(checks.counts.duplicated == 2)
        #expect(checks.breaches.map(\.occurrences) == [2])
    }

    @Test func `two actions that carry one identity may take effect twice`() {
        var script = ObservationScript()
        script.promise(1, 1, "post7", kind: "like.toggle")
        script.promise(2, 2, "post7", kind: "like.toggle")
        script.effect(3, "post7", 1)
        script.effect(4, "post7", 2)
        script.settle(5, 1)
        script.settle(5, 2)
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    @Test func `two actions that carry one identity and one effect: one is lost`() {
        var script = ObservationScript()
        script.promise(1, 1, "post7")
        script.promise(2, 2, "post7")
        script.effect(3, "post7", 1)
        script.settle(5, 1)
        script.settle(5, 2)
        #expect(script.checked(end: 10).counts.lost == 1)
    }

    @Test func `an effect on the same route that nobody asked for is a phantom`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        script.effect(2, "m1")
        script.effect(3, "m999")
        script.effect(4, "device-7", route: "POST /telemetry")
        script.settle(5, 1)
        let checks = script.checked(end: 10)
        #expect(
            checks.breaches.map(\.message) == [
                "'m999' took effect at the server at 3 s (POST /messages), but nobody asked for it"
            ]
        )
    }

    @Test func `a kill between the act and the promise leaves zero or one effect right`() {
        for effects in 0...2 {
            var script = ObservationScript()
            script.start(1, 1, "m1")
            script.at(1.5, .processEnded(ProcessLabel(device: 0, launch: 1), .injectedKill))
            for occurrence in 0..<effects {
                script.effect(3 + Double(occurrence), "m1", occurrence + 1)
            }
            let checks = script.checked(end: 10)
            #expect(names(checks) == (effects == 2 ? [.exactlyOnce] : []), "\(effects) effects")
        }
    }

    @Test(arguments: [ActionOutcome.deadLettered, .rejected, .expired])
    func `what the person was told is not lost`(outcome: ActionOutcome) {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        script.settle(3, 1, outcome)
        script.start(4, 2, "m2")
        script.at(5, .actionRefused(action: 2, reason: "disk full"))
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    @Test func `of taps that share a group only the last one has to take effect`() {
        for reaching in [[3], [1, 3], [2, 3], [1, 2, 3]] {
            var script = ObservationScript()
            for tap in 1...3 {
                script.promise(
                    Double(tap),
                    Int64(tap),
                    "t\(tap)",
                    entity: "p1",
                    group: "p1",
                    kind: "like.toggle"
                )
            }
            for tap in reaching { script.effect(10 + Double(tap), "t\(tap)") }
            for tap in 1...3 {
                script.settle(20, Int64(tap), reaching.contains(tap) ? .acknowledged : .superseded)
            }
            #expect(script.checked(end: 30).breaches.isEmpty, "\(reaching) took effect")
        }
    }

    @Test func `if only an earlier tap took effect, the last one is lost`() {
        var script = ObservationScript()
        script.promise(1, 1, "t1", group: "p1")
        script.promise(2, 2, "t2", group: "p1")
        script.effect(3, "t1")
        script.settle(4, 1)
        script.settle(4, 2)
        let checks = script.checked(end: 10)
        #expect(checks.breaches.map(\.subject) == ["t2"])
    }

    @Test func `a tap that was cut by a kill and took effect stands for the one before it`() {
        var script = ObservationScript()
        script.promise(1, 1, "t1", group: "p1")
        script.start(2, 2, "t2", group: "p1")
        script.effect(3, "t2")
        script.settle(4, 1, .superseded)
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    @Test func `superseded by nothing is lost`() {
        var script = ObservationScript()
        script.promise(1, 1, "t1", group: "p1")
        script.settle(4, 1, .superseded)
        let checks = script.checked(end: 10)
        #expect(checks.counts.lost == 1)
        #expect(checks.breaches[0].message.hasSuffix("nothing took its place"))
    }

    @Test func `a duplicate of an anonymous action is told at once, with its keys`() {
        let scope = GuaranteeScope(seed: 1, effectKinds: [], anonymousKinds: ["tap"])
        var script = ObservationScript()
        script.promise(1, 1, "tap-1", kind: "tap")
        script.request(1.5, 1, "op")
        script.effect(2, "m1", request: 1, key: 5)
        script.at(3, .requestEnded(RequestEnd(request: 1, result: .failure("timedOut"))))
        script.effect(4, "m1", 2, request: 2, key: 6)
        let breaches = script.checked(end: 10, scope: scope).breaches
        #expect(
            breaches.map(\.message) == [
                "'m1' took effect twice at the server: at 2 s and at 4 s (POST /messages); the "
                    + "answer to the first never arrived: request 1 failed: timedOut at 3 s; the "
                    + "idempotency keys differed"
            ]
        )
        #expect(breaches[0].story.map(\.text).first == "request 1 sent: POST /messages")
        #expect(breaches[0].instant == ObservationScript.instant(4))
    }

    @Test func `actions without an identity are matched by number where the test says so`() {
        let scope = GuaranteeScope(seed: 1, anonymousKinds: ["tap"])
        func checks(effects: [(String, Int)]) -> GuaranteeChecks {
            var script = ObservationScript()
            for number in 1...3 { script.promise(Double(number), Int64(number), "", kind: "tap") }
            script.start(4, 4, "", kind: "tap")
            for (index, effect) in effects.enumerated() {
                script.effect(5 + Double(index), effect.0, effect.1)
            }
            return script.checked(end: 20, scope: scope)
        }
        #expect(checks(effects: [("a", 1), ("b", 1), ("c", 1)]).breaches.isEmpty)
        #expect(checks(effects: [("a", 1), ("b", 1), ("c", 1), ("d", 1)]).breaches.isEmpty)
        #expect(checks(effects: [("a", 1), ("b", 1)]).counts.lost == 1)
        let twice = checks(effects: [("a", 1), ("b", 1), ("b", 2), ("c", 1)])
        #expect(twice.counts.duplicated == 1)
        #expect(names(twice) == [.exactlyOnce])
        let five = checks(effects: ["a", "b", "c", "d", "e"].map { ($0, 1) })
        #expect(five.breaches.map(\.subject) == ["e"])
    }

    @Test func `breaches are bounded, and counts go on`() {
        var script = ObservationScript()
        for number in 1...100 {
            script.promise(Double(number), Int64(number), "m\(number)")
            script.settle(Double(number) + 0.5, Int64(number))
        }
        let checks = script.checked(end: 200)
        #expect(checks.counts.lost == 100)
        #expect(checks.breaches.count == 40)
    }

    @Test func `a story is bounded however long it was`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        for attempt in 0..<500 {
            let number = Int64(attempt + 1)
            script.request(2 + Double(attempt), number, "op1")
            script.at(
                2.5 + Double(attempt),
                .requestEnded(RequestEnd(request: number, result: .failure("timedOut")))
            )
        }
        script.request(600, 501, "op1")
        script.effect(601, "m1", request: 501)
        script.effect(602, "m1", 2, request: 501)
        let checks = script.checked(end: 700)
        let story = checks.breaches[0].story
        #expect(story.count == 13)
        #expect(story.first?.text == "message.send began")
        #expect(story.last?.text == "took effect at the server (POST /messages, again)")
        let instants = story.map(\.instant)
        #expect(instants == instants.sorted())
    }

    @Test func `what the world repeats is told twice and at the end`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        for launch in 2...30 {
            script.at(
                Double(launch),
                .processLaunched(ProcessLabel(device: 0, launch: launch), .userOpened)
            )
        }
        let story = script.checked(end: 60).breaches[0].story.map(\.text)
        #expect(
            story == [
                "message.send began", "promised to the person",
                "app launched (userOpened, launch 2)", "app launched (userOpened, launch 3)",
                "app launched (userOpened, launch 30) (and 26 times before)",
            ]
        )
    }
}
