import Foundation
import Testing

@testable import ClientModules

@Suite struct TimingTests {
    @Test func `an age within a boot does not heed the wall clock`() {
        let clock = ManualClock()
        let instant = StoredInstant(clock)
        clock.advance(to: clock.now + .seconds(60))
        clock.jumpWall(by: .seconds(-1_000_000))
        #expect(instant.age(by: clock) == .seconds(60))
        #expect(instant.reaches(.seconds(100), by: clock) == clock.now + .seconds(40))
    }

    @Test func `an age over a reboot is the wall clock's, and never negative`() {
        let clock = ManualClock()
        let instant = StoredInstant(clock)
        clock.reboot(after: .seconds(3_600))
        #expect(instant.age(by: clock) == .seconds(3_600))
        clock.jumpWall(by: .seconds(-10_000))
        #expect(instant.age(by: clock) == .zero)
    }

    @Test func `a new route is one that was not there before`() {
        var reachability = Reachability(NetworkPath(isSatisfied: true, interface: "wifi"))
        func take(_ isSatisfied: Bool, _ interface: String) -> Bool {
            reachability.take(NetworkPath(isSatisfied: isSatisfied, interface: interface))
        }
        #expect(!take(true, "wifi"))
        #expect(take(true, "cellular"))
        #expect(!take(false, "none"))
        #expect(!reachability.isReachable)
        #expect(take(true, "cellular"))
        #expect(reachability.isReachable)
    }

    // At most one early try in ten seconds, however often the path flaps.
    @Test func `early tries are rare`() {
        var reachability = Reachability(NetworkPath(isSatisfied: true))
        let allowed = (0..<31).filter { reachability.allowsEarlyTry(at: .seconds($0)) }
        #expect(allowed == [0, 10, 20, 30])
    }

    @Test func `a signal that comes early is not lost and two count as one`() throws {
        let phone = try TestPhone()
        let signal = WakeSignal()
        let woken = Heard<Int>()
        signal.raise()
        signal.raise()
        phone.start {
            await signal.wait()
            woken.hear(1)
            await signal.wait()
            woken.hear(2)
        }
        #expect(woken.all == [1])
        signal.raise()
        phone.pass(.zero)
        #expect(woken.all == [1, 2])
    }

    @Test func `a wait ends at its deadline, and at a cancellation`() throws {
        let phone = try TestPhone()
        let signal = WakeSignal()
        let clock = phone.clock
        let woken = Heard<Duration>()
        let begin = clock.now
        let task = phone.start {
            await signal.wait(until: begin + .seconds(5), clock: clock)
            woken.hear(clock.now - begin)
            await signal.wait(until: nil, clock: clock)
            woken.hear(clock.now - begin)
        }
        phone.pass(.seconds(9))
        task.cancel()
        phone.pass(.zero)
        #expect(woken.all == [.seconds(5), .seconds(9)])
    }
}
