import ClientModules
import Foundation
import Quantities
import Testing

@Suite struct OutboxRelaunchTests {
    @Test func `what was promised is sent by the next launch`() throws {
        let fixture = try OutboxFixture()
        try fixture.enqueue("m1")
        try fixture.enqueue("m2")
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["m1", "m2"])
    }

    @Test func `what was in flight is sent again with its key and in its place`() throws {
        let fixture = try OutboxFixture()
        fixture.run()
        try fixture.enqueue("m1")
        try fixture.enqueue("m2")
        // The server has it; the app dies before it hears.
        fixture.phone.pass(.milliseconds(50))
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.bodies == ["m1", "m1", "m2"])
        #expect(fixture.keys[0] == fixture.keys[1])
        #expect(fixture.origin.effects == ["m1", "m2"])
        #expect(fixture.heard.all.contains(.sending(identity: "m1", attempt: 2)))
    }

    // An intent whose sending kills the app: each launch waits longer, by the stored count of failures.
    @Test func `a loop of crashes backs off`() throws {
        let fixture = try OutboxFixture { $0.retry.jitter = .none }
        fixture.phone.transport.serve { _, _ in .never }
        try fixture.enqueue("m1")
        fixture.run()
        for wait in [1, 2, 4, 8, 16] as [Int64] {
            try fixture.relaunch { $0.retry.jitter = .none }
            fixture.phone.pass(.seconds(wait))
        }
        // It dies at each sending and is launched at once: waits of 1, 2, 4, 8 and 16 s.
        #expect(fixture.instants.map(\.components.seconds) == [0, 1, 3, 7, 15, 31])
    }

    @Test func `a cancelled run leaves everything to the next`() throws {
        let fixture = try OutboxFixture()
        let task = fixture.run()
        try fixture.enqueue("m1")
        task.cancel()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.bodies == ["m1"])
        #expect(try fixture.pending().count == 1)
        fixture.run()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["m1"])
        #expect(try fixture.pending().count == 0)
    }

    @Test func `a superseded intent is not sent, its successor is`() throws {
        let fixture = try OutboxFixture()
        for identity in ["like", "unlike", "like again"] {
            try fixture.enqueue(identity, entity: "post", collapse: "like/post")
        }
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["like again"])
        #expect(
            fixture.settled.all.map(\.outcome).prefix(2) == [
                .superseded(by: "unlike"), .superseded(by: "like again"),
            ]
        )
        #expect(fixture.heard.all.contains(.superseded(identity: "like", by: "unlike")))
    }

    @Test func `what was sent is not superseded, also after a relaunch`() throws {
        let fixture = try OutboxFixture([1: .requestLost])
        fixture.run()
        try fixture.enqueue("like", entity: "post", collapse: "like/post")
        fixture.phone.pass(.milliseconds(50))
        try fixture.relaunch()
        try fixture.enqueue("unlike", entity: "post", collapse: "like/post")
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["like", "unlike"])
    }

    @Test func `a collapse keeps to its key`() throws {
        let fixture = try OutboxFixture()
        try fixture.enqueue("a", entity: "post", collapse: "like/1")
        try fixture.enqueue("b", entity: "post", collapse: "like/2")
        try fixture.enqueue("c", entity: "post")
        fixture.run()
        fixture.phone.pass(.seconds(60))
        #expect(fixture.origin.effects == ["a", "b", "c"])
    }

    /// The clock of the boot before says nothing of how much of a wait has passed: it begins anew.
    @Test func `a reboot voids stored instants, not waits or intents`() throws {
        let fixture = try OutboxFixture([1: .refused(503, [HTTPHeader("Retry-After", "30")])])
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(10))
        fixture.phone.clock.reboot(after: .seconds(60))
        try fixture.relaunch()
        fixture.phone.pass(.seconds(29))
        #expect(fixture.origin.effects.isEmpty)
        fixture.phone.pass(.seconds(120))
        #expect(fixture.origin.effects == ["m1"])
    }

    // The 30 s begin anew with the boot, at 5 s of its clock; a route comes 5 s later.
    @Test func `a new path is no reason to come before the server wants it, after a boot neither`()
        throws
    {
        let fixture = try OutboxFixture([1: .refused(503, [HTTPHeader("Retry-After", "30")])])
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.pass(.seconds(10))
        fixture.phone.clock.reboot(after: .seconds(60))
        fixture.phone.path.set(isSatisfied: false)
        try fixture.relaunch()
        fixture.phone.pass(.seconds(5))
        fixture.phone.path.set(isSatisfied: true)
        fixture.phone.pass(.seconds(24))
        #expect(fixture.origin.effects.isEmpty)
        fixture.phone.pass(.seconds(120))
        #expect(fixture.origin.effects == ["m1"])
    }

    @Test func `a wall clock that jumps gives nothing up`() throws {
        let fixture = try OutboxFixture()
        fixture.phone.path.set(isSatisfied: false)
        fixture.run()
        try fixture.enqueue("m1")
        fixture.phone.clock.jumpWall(by: .seconds(400 * 86_400))
        try fixture.relaunch()
        fixture.phone.pass(.seconds(60))
        fixture.phone.path.set(isSatisfied: true)
        fixture.phone.pass(.seconds(5))
        #expect(fixture.origin.effects == ["m1"])
    }
}
