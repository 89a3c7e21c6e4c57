import Quantities
import Testing
import Trace

@testable import Measurements

/// What the person was told has failed, held against the server.
@Suite struct ToldFailureTests {
    @Test func `a message that is called failed and is there is a lie, told with its entity`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1", entity: "c1")
        script.request(2, 10, "op1")
        script.effect(3, "m1", request: 10)
        script.at(33, .requestEnded(RequestEnd(request: 10, result: .failure("timedOut"))))
        script.settle(34, 1, .deadLettered)
        // An effect settles kinds whose app says nothing; what this one said counts all the same.
        for untold: Set<String> in [[], ["message.send"]] {
            let checks = script.checked(
                end: 60,
                scope: GuaranteeScope(seed: 7, untoldKinds: untold)
            )
            #expect(checks.breaches.map(\.guarantee) == [.exactlyOnce])
            #expect(
                checks.breaches.map(\.message) == [
                    "the app said at 34 s that message 'm1' failed (deadLettered), but it took effect "
                        + "at the server at 3 s (POST /messages), on 'c1', and stands at the end, "
                        + "1 min; the answer never arrived: request 10 failed: timedOut at 33 s"
                ]
            )
            #expect(checks.breaches.first?.entity == "c1")
            #expect(checks.counts.told == 1)
        }
    }

    @Test(arguments: [ActionOutcome.deadLettered, .rejected, .expired, .sourceUnavailable])
    func `what is called failed must not take effect later either`(outcome: ActionOutcome) {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        script.settle(2, 1, outcome)
        script.effect(3, "m1")
        #expect(script.checked(end: 10).breaches.map(\.guarantee) == [.exactlyOnce])
    }

    @Test func `what is called unknown may have no effect or one, and not two`() {
        for effects in 0...2 {
            var script = ObservationScript()
            script.promise(1, 1, "m1")
            for occurrence in 0..<effects {
                script.effect(2 + Double(occurrence), "m1", occurrence + 1)
            }
            script.settle(5, 1, .unknown)
            let checks = script.checked(end: 10)
            let broken = checks.breaches.map(\.guarantee)
            #expect(broken == (effects == 2 ? [.exactlyOnce] : []), "\(effects) effects")
            #expect(checks.counts.unknown == 1)
            #expect(checks.counts.told + checks.counts.promised + checks.counts.lost == 0)
        }
    }

    @Test func `a failure that was taken back is none`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        script.settle(2, 1, .deadLettered)
        script.effect(3, "m1")
        script.settle(4, 1, .acknowledged)
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    @Test func `what a phone made from a backup has forgotten was not called failed`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        script.effect(2, "m1")
        script.settle(3, 1)
        script.at(4, .actionRefused(action: 1, reason: "it is not in the backup"))
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    @Test func `a tap whose effect a later one has replaced does not stand`() {
        var script = ObservationScript()
        script.promise(1, 1, "t1", group: "p1", kind: "like.toggle")
        script.effect(2, "t1")
        script.settle(3, 1, .deadLettered)
        script.promise(4, 2, "t2", group: "p1", kind: "like.toggle")
        script.effect(5, "t2")
        script.settle(6, 2)
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    @Test func `a server that did it and answered that it did not is believed`() {
        for (status, isLie) in [(422, false), (500, true)] {
            var script = ObservationScript()
            script.promise(1, 1, "m1")
            script.request(2, 10, "op1")
            script.effect(3, "m1", request: 10)
            script.at(4, .requestEnded(RequestEnd(request: 10, result: .status(status))))
            script.settle(5, 1, .deadLettered)
            #expect(script.checked(end: 10).breaches.isEmpty != isLie, "\(status)")
        }
    }

    // A story forgets a request after 4,096 later ones; what a judgement hangs on is not the story's.
    @Test(arguments: [0, 5_000])
    func `how long the run goes on changes no judgement and no sentence`(later: Int) {
        var script = ObservationScript()
        for (number, end) in [RequestEnd.Result.status(422), .failure("timedOut")].enumerated() {
            let action = Int64(number + 1)
            script.promise(1, action, "m\(action)")
            script.request(2, action, "op\(action)")
            script.effect(3, "m\(action)", request: action)
            script.at(4, .requestEnded(RequestEnd(request: action, result: end)))
            script.settle(5, action, .deadLettered)
        }
        for number in 0..<later {
            let request = Int64(100 + number)
            script.request(6, request, "other\(number)")
            script.at(6, .requestEnded(RequestEnd(request: request, result: .status(200))))
        }
        let checks = script.checked(end: 10)
        #expect(
            checks.breaches.map(\.message) == [
                "the app said at 5 s that message 'm2' failed (deadLettered), but it took effect at "
                    + "the server at 3 s (POST /messages), and stands at the end, 10 s; the answer "
                    + "never arrived: request 2 failed: timedOut at 4 s"
            ]
        )
    }

    @Test func `an answer is followed while it is open, and kept where it was not well`() {
        var answers = DeedAnswers()
        for request in 1...5 as ClosedRange<Int64> { answers.follow(request, nil) }
        #expect(answers.openCount == 5)
        let ends: [RequestEnd.Result] = [
            .status(200), .status(404), .failure("lost"), .status(503),
        ]
        for (index, end) in ends.enumerated() {
            let request = Int64(index + 1)
            answers.observe(RequestEnd(request: request, result: end), at: .zero + .seconds(1))
        }
        #expect(answers.openCount == 1)
        #expect((1...5).map { answers.isDenied($0) } == [false, true, false, false, false])
        #expect((1...5).filter { answers.loss(of: $0) != nil } == [3])
    }

    @Test func `the effect of another action with the same identity is no lie`() {
        for (effects, isLie) in [(1, false), (2, true)] {
            var script = ObservationScript()
            script.promise(1, 1, "post7")
            script.promise(2, 2, "post7")
            for occurrence in 1...effects {
                script.effect(2 + Double(occurrence), "post7", occurrence)
            }
            script.settle(5, 1, .deadLettered)
            script.settle(5, 2)
            #expect(script.checked(end: 10).breaches.isEmpty != isLie, "\(effects) effects")
        }
    }

    @Test func `an error that says that nothing was done is held to it`() {
        var script = ObservationScript()
        script.start(1, 1, "m1")
        script.effect(2, "m1")
        script.at(3, .actionRefused(action: 1, reason: "NotSent()", saysUndone: true))
        let breaches = script.checked(end: 10).breaches
        #expect(
            breaches.map(\.message) == [
                "the app said at 3 s that message 'm1' failed (it threw NotSent()), but it took effect at the "
                    + "server at 2 s (POST /messages), and stands at the end, 10 s"
            ]
        )
        #expect(breaches.map(\.guarantee) == [.exactlyOnce])
    }

    // The app shows it as said after its relaunch, or says later that it is there, or that nobody knows.
    @Test func `an error that was corrected later is none`() {
        let corrections: [Observation] = [
            .actionPromised(action: 1), .actionSettled(action: 1, .acknowledged),
            .actionSettled(action: 1, .unknown),
        ]
        for correction in corrections {
            var script = ObservationScript()
            script.start(1, 1, "m1")
            script.at(2, .actionRefused(action: 1, reason: "NotSent()", saysUndone: true))
            script.effect(3, "m1")
            script.at(4, correction)
            #expect(
                script.checked(end: 10).breaches.filter { $0.message.contains("failed") } == [],
                "\(correction)"
            )
        }
    }

    // It was done again, and once is what stands: the first may have been undone indeed.
    @Test func `a deed that was refused and done again is accounted for`() {
        var script = ObservationScript()
        script.start(1, 1, "m1")
        script.at(2, .actionRefused(action: 1, reason: "NotSent()", saysUndone: true))
        script.promise(3, 2, "m1")
        script.effect(4, "m1")
        script.settle(5, 2)
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    // An upload that was refused, and stands whole.
    @Test func `a file that was called failed by what was thrown is judged as well`() {
        for saysUndone in [true, false] {
            var script = ObservationScript()
            let photo = UserAction(
                action: 1,
                kind: "photo.upload",
                identity: "photo1",
                size: .bytes(1_000),
                digest: 42
            )
            script.at(1, .actionStarted(photo))
            script.upload(2, .created(length: .bytes(1_000)))
            script.upload(3, .completed(digest: 42))
            script.at(4, .actionRefused(action: 1, reason: "NotSent()", saysUndone: saysUndone))
            #expect(
                script.checked(end: 10).breaches.map(\.guarantee)
                    == (saysUndone ? [.bytesIdentical] : [])
            )
        }
    }

    @Test func `an error that an action threw claims no more than that no answer came`() {
        var script = ObservationScript()
        script.start(1, 1, "m1")
        script.effect(2, "m1")
        script.at(3, .actionRefused(action: 1, reason: "URLError.timedOut"))
        #expect(script.checked(end: 10).breaches.isEmpty)
    }
}
