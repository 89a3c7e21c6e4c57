import ClientModules
import Foundation
import Quantities
import Testing

@Suite struct OutboxTimeTests {
    @Test func `without a route nothing is sent, and at once when there is one`() throws {
        let fixture = try OutboxFixture()
        fixture.phone.path.set(isSatisfied: false)
        try fixture.relaunch()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(3_600))
        #expect(fixture.bodies.isEmpty)
        #expect(fixture.heard.all.last == .waiting(.path))
        fixture.phone.path.set(isSatisfied: true)
        fixture.phone.pass(.seconds(1))
        #expect(fixture.origin.effects == ["m1"])
        #expect(fixture.instants == [.seconds(3_600)])
    }

    @Test func `a failed round is repeated by itself`() throws {
        let fixture = try OutboxFixture([1: .refused(503), 2: .requestLost, 3: .refused(500)])
        fixture.run()
        try fixture.enqueue("m1")
        // Waits of at most 1, 2 and 4 s, and 0.1 s for each answer.
        fixture.phone.pass(.milliseconds(7_400))
        #expect(fixture.origin.effects == ["m1"])
    }

    @Test func `a new path shortens a wait that the old one caused`() throws {
        let fixture = try OutboxFixture([1: .requestLost]) {
            $0.retry = RetryPolicy(
                base: .seconds(60),
                ceiling: .seconds(60),
                jitter: .none,
                deadline: nil
            )
        }
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(1))
        fixture.phone.random = FixedRandom(share: 0)
        fixture.phone.path.set(isSatisfied: true, interface: "cellular")
        fixture.phone.pass(.seconds(59))
        #expect(fixture.bodies.count == 2)
        #expect(try #require(fixture.instants.last) < .seconds(60))
    }

    @Test func `a new path does not shorten what the server asked`() throws {
        let fixture = try OutboxFixture([1: .refused(503, [HTTPHeader("Retry-After", "30")])])
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(1))
        fixture.phone.path.set(isSatisfied: true, interface: "cellular")
        fixture.phone.pass(.seconds(60))
        // Answered at 0.1 s, so not before 30.1 s, and at most the base of 1 s later.
        let second = try #require(fixture.instants.dropFirst().first)
        #expect(second >= .milliseconds(30_100) && second <= .milliseconds(31_100))
    }

    @Test func `coming to the foreground is a reason to try`() throws {
        let fixture = try OutboxFixture([1: .requestLost]) {
            $0.retry = RetryPolicy(
                base: .seconds(60),
                ceiling: .seconds(60),
                jitter: .none,
                deadline: nil
            )
        }
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(1))
        fixture.phone.signals.phase.set(.background)
        fixture.phone.signals.phase.set(.foreground)
        fixture.phone.pass(.milliseconds(59_000))
        #expect(fixture.bodies.count == 2)
    }

    @Test func `the server's pause holds for every entity and over a relaunch`() throws {
        let fixture = try OutboxFixture([1: .refused(503, [HTTPHeader("Retry-After", "30")])])
        fixture.run()
        try fixture.enqueue("a1", entity: "a")
        fixture.phone.pass(.seconds(1))
        try fixture.enqueue("b1", entity: "b")
        fixture.phone.pass(.seconds(9))
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.instants.dropFirst().allSatisfy { $0 >= .milliseconds(30_100) })
        #expect(fixture.origin.effects.sorted() == ["a1", "b1"])
    }

    @Test func `after a failure one request at a time asks whether it is over`() throws {
        let fixture = try OutboxFixture { $0.parallel = 4 }
        fixture.origin.setFallback(.refused(503))
        fixture.origin.setLatency(.seconds(1))
        fixture.run()
        for entity in ["a", "b", "c", "d"] { try fixture.enqueue(entity, entity: entity) }
        fixture.phone.pass(.milliseconds(1_500))
        let before = fixture.instants.count
        #expect(before == 4 || before == 5)
        fixture.phone.pass(.seconds(300))
        let later = fixture.instants.dropFirst(5)
        // Each takes a second; none begins while another runs.
        #expect(zip(later, later.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) })
    }

    @Test func `an empty budget slows retries down and does not end them`() throws {
        let fixture = try OutboxFixture {
            $0.budget = RetryBudget(ratio: .percent(10), capacity: 3)
            $0.retry = RetryPolicy(base: .seconds(1), ceiling: .seconds(60), deadline: nil)
        }
        fixture.origin.setFallback(.refused(503))
        fixture.run()
        for number in 1...6 { try fixture.enqueue("m\(number)", entity: "e\(number)") }
        fixture.phone.pass(.seconds(3_600))
        // Six first attempts and three paid retries; from then on 30 to 60 s apart, all together.
        let slow = fixture.instants.dropFirst(12)
        #expect(zip(slow, slow.dropFirst()).allSatisfy { $1 - $0 >= .seconds(30) })
        #expect(slow.count > 40)
        // A relaunch does not fill the bucket.
        try fixture.relaunch {
            $0.budget = RetryBudget(ratio: .percent(10), capacity: 3)
        }
        let before = fixture.instants.count
        fixture.phone.pass(.seconds(300))
        #expect(fixture.instants.count - before <= 11)
        fixture.origin.setFallback(.normal)
        fixture.phone.pass(.seconds(3_600))
        #expect(fixture.origin.effects.count == 6)
    }

    @Test func `after its time an intent is given up and told, also without a route`() throws {
        let fixture = try OutboxFixture { $0.giveUpAfter = .seconds(3_600) }
        fixture.phone.path.set(isSatisfied: false)
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(1_800))
        try fixture.enqueue("m2")
        fixture.phone.pass(.seconds(1_801))
        #expect(try fixture.deadLetters() == ["m1": .tooOld])
        fixture.phone.path.set(isSatisfied: true)
        fixture.phone.pass(.seconds(5))
        #expect(fixture.origin.effects == ["m2"])
    }

    @Test func `an ambiguous intent that outlived its key is not sent blindly`() throws {
        let fixture = try OutboxFixture([1: .responseLost])
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.milliseconds(50))
        fixture.phone.path.set(isSatisfied: false)
        fixture.phone.pass(.seconds(25 * 3_600))
        fixture.origin.forgetKeys()
        fixture.phone.path.set(isSatisfied: true)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["m1"])
        #expect(try fixture.deadLetters() == ["m1": .keyExpired])
    }

    @Test func `an intent that was only refused is sent at any age of its key`() throws {
        let fixture = try OutboxFixture([1: .refused(503)])
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.milliseconds(150))
        fixture.phone.path.set(isSatisfied: false)
        fixture.phone.pass(.seconds(25 * 3_600))
        fixture.phone.path.set(isSatisfied: true)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["m1"])
    }

    @Test(arguments: [true, false])
    func `an expired key can be settled by asking the server`(_ tookEffect: Bool) throws {
        let fixture = try OutboxFixture([1: .responseLost]) {
            $0.whenKeyMayHaveExpired = .check { _ in tookEffect }
        }
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.milliseconds(50))
        fixture.phone.path.set(isSatisfied: false)
        fixture.phone.pass(.seconds(25 * 3_600))
        fixture.phone.path.set(isSatisfied: true)
        fixture.phone.pass(.seconds(60))
        #expect(fixture.keys.count == (tookEffect ? 1 : 2))
        #expect(Set(fixture.keys).count == fixture.keys.count)
        #expect(try fixture.deadLetters().isEmpty)
        #expect(try fixture.pending().count == 0)
    }
}
