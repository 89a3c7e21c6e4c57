import PhoneModel
import Quantities
import Testing

@Suite struct DeviceClocksTests {
    private func at(_ seconds: Int) -> SimulationInstant { .zero + .seconds(seconds) }

    @Test func `awake, all clocks run together`() {
        let clocks = DeviceClocks()
        #expect(clocks.continuous(at: at(90)) == .seconds(90))
        #expect(clocks.suspending(at: at(90)) == .seconds(90))
        #expect(clocks.wall(at: at(90)) == .worldBegins + .seconds(90))
        #expect(!clocks.isAsleep)
    }

    @Test func `suspending time stands still in sleep, at every instant of the past`() {
        // Asleep from 10 to 40 and from 50 to 55: 30 and 5 s are missing.
        var clocks = DeviceClocks()
        clocks.sleep(at: at(10))
        clocks.wake(at: at(40))
        clocks.sleep(at: at(50))
        clocks.wake(at: at(55))
        let readings = [0, 10, 25, 40, 45, 50, 52, 55, 60].map { clocks.suspending(at: at($0)) }
        let expected = [0, 10, 10, 10, 15, 20, 20, 20, 25]
        #expect(readings == expected.map { .seconds($0) })
        #expect(clocks.continuous(at: at(60)) == .seconds(60))
        #expect(clocks.wall(at: at(60)) == .worldBegins + .seconds(60))
    }

    @Test func `a sleep that lasts holds the clock from its beginning on`() {
        var clocks = DeviceClocks()
        clocks.sleep(at: at(10))
        #expect(clocks.isAsleep)
        #expect(clocks.suspending(at: at(1_000)) == .seconds(10))
        #expect(clocks.instant(whenSuspendingIs: .seconds(20), from: at(1_000)) == nil)
        clocks.sleep(at: at(20))
        clocks.wake(at: at(30))
        clocks.wake(at: at(31))
        #expect(clocks.suspending(at: at(31)) == .seconds(11))
    }

    @Test func `a timer on suspending time is late by the sleep`() {
        var clocks = DeviceClocks()
        clocks.sleep(at: at(10))
        clocks.wake(at: at(40))
        // Due at 25 s of suspending time; 10 are over at 40, so at 55.
        #expect(clocks.instant(whenSuspendingIs: .seconds(25), from: at(40)) == at(55))
        // Overdue: now.
        #expect(clocks.instant(whenSuspendingIs: .seconds(5), from: at(40)) == at(40))
    }

    @Test func `the wall clock drifts by its skew`() {
        // 50 ppm of a day are 4.32 s.
        let fast = DeviceClocks(skewPartsPerMillion: 50)
        let slow = DeviceClocks(skewPartsPerMillion: -50)
        let day = at(86_400)
        #expect(fast.wall(at: day) == .worldBegins + .milliseconds(86_404_320))
        #expect(slow.wall(at: day) == .worldBegins + .milliseconds(86_395_680))
        #expect(fast.continuous(at: day) == .seconds(86_400))
    }

    @Test func `jumps add up from their instants on, and touch no other clock`() {
        var clocks = DeviceClocks(offset: .seconds(3))
        clocks.jump(by: .seconds(7_200), at: at(100))
        clocks.jump(by: .seconds(-3_600), at: at(200))
        let readings = [0, 99, 100, 199, 200, 300].map { clocks.wall(at: at($0)) }
        let expected = [3, 102, 7_303, 7_402, 3_803, 3_903]
        #expect(readings == expected.map { .worldBegins + .seconds($0) })
        #expect(clocks.suspending(at: at(300)) == .seconds(300))
    }

    @Test func `waking before the sleep traps`() async {
        await #expect(processExitsWith: .failure) {
            var clocks = DeviceClocks()
            clocks.sleep(at: .zero + .seconds(10))
            clocks.wake(at: .zero + .seconds(9))
        }
    }
}
