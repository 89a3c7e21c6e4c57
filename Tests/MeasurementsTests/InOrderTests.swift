import Measurements
import Testing
import Trace

/// `outbox.in_order`: effects on one entity in the order of the actions.
@Suite struct InOrderTests {
    @Test func `effects may interleave across entities`() {
        var script = ObservationScript()
        script.promise(1, 1, "a1", entity: "a")
        script.promise(2, 2, "b1", entity: "b")
        script.promise(3, 3, "a2", entity: "a")
        for identity in ["b1", "a1", "a2"] { script.effect(4, identity) }
        for number in 1...3 { script.settle(5, Int64(number)) }
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    @Test func `an effect that comes after a later one's broke the order`() {
        var script = ObservationScript()
        script.promise(1, 1, "a1", entity: "a")
        script.promise(2, 2, "a2", entity: "a")
        script.effect(3, "a2")
        script.effect(4, "a1")
        for number in 1...2 { script.settle(5, Int64(number)) }
        let checks = script.checked(end: 10)
        #expect(checks.breaches.map(\.guarantee) == [.inOrder])
        #expect(checks.counts.reordered == 1)
        #expect(
            checks.breaches[0].message == "message 'a1' was done at 1 s, before message 'a2' at "
                + "2 s, but took effect after it, at 4 s, on 'a'"
        )
    }

    @Test func `order is free where no entity is named, and a told failure leaves a gap`() {
        var script = ObservationScript()
        script.promise(1, 1, "x1")
        script.promise(2, 2, "x2")
        script.promise(3, 3, "a1", entity: "a")
        script.promise(4, 4, "a2", entity: "a")
        for identity in ["x2", "x1", "a2"] { script.effect(5, identity) }
        script.settle(6, 3, .deadLettered)
        for number in [1, 2, 4] { script.settle(6, Int64(number)) }
        #expect(script.checked(end: 10).breaches.isEmpty)
    }

    @Test func `a duplicate is no disorder`() {
        var script = ObservationScript()
        script.promise(1, 1, "a1", entity: "a")
        script.promise(2, 2, "a2", entity: "a")
        script.effect(3, "a1")
        script.effect(4, "a2")
        script.effect(5, "a1", 2)
        for number in 1...2 { script.settle(6, Int64(number)) }
        #expect(script.checked(end: 10).breaches.map(\.guarantee) == [.exactlyOnce])
    }

    @Test func `what one backup forgot and another brings back has no place in the order`() {
        var script = ObservationScript()
        script.promise(1, 1, "a1", entity: "a")
        script.at(1.5, .actionRefused(action: 1, reason: "it is not in the backup"))
        script.promise(2, 2, "a2", entity: "a")
        script.promise(2.5, 3, "a3", entity: "a")
        for identity in ["a3", "a1", "a2"] { script.effect(4, identity) }
        for number in 2...3 { script.settle(5, Int64(number)) }
        // Those that no backup touched are judged as ever.
        let disordered = script.checked(end: 10).breaches.filter { $0.guarantee == .inOrder }
        #expect(disordered.count == 1)
        #expect(disordered.first?.message.hasPrefix("message 'a2' was done") == true)
    }

    @Test func `what an app refused, and showed as said after all, keeps its place in the order`() {
        var script = ObservationScript()
        script.start(1, 1, "a1", entity: "a")
        script.at(1.5, .actionRefused(action: 1, reason: "disk full"))
        script.at(1.8, .actionPromised(action: 1))
        script.promise(2, 2, "a2", entity: "a")
        for identity in ["a2", "a1"] { script.effect(4, identity) }
        for number in 1...2 { script.settle(5, Int64(number)) }
        #expect(script.checked(end: 10).breaches.contains { $0.guarantee == .inOrder })
    }
}
