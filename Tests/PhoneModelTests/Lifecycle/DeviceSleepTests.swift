import PhoneModel
import Quantities
import SimulationKernel
import Testing
import Trace

@Suite struct DeviceSleepTests {
    let bench = PhoneBench()

    private func phone(screen: Bool) -> DeviceSleep {
        DeviceSleep(
            isScreenOn: screen,
            simulation: bench.simulation,
            observations: bench.observations
        )
    }

    @Test func `a job every fifteen minutes wakes a sleeping phone 96 times a day`() {
        // Design F3: from 0:00 to 23:45, 1.2 s each.
        let phone = phone(screen: false)
        for job in 0..<96 {
            bench.simulation.schedule(at: .zero + .seconds(job * 900)) {
                phone.wake(.job, for: .milliseconds(1_200))
            }
        }
        bench.run(until: .seconds(86_400))
        #expect(phone.wakeUps == 96)
        #expect(bench.observed == [Observation](repeating: .deviceWoke(.job), count: 96))
        // Awake for 96 x 1.2 s = 115.2 s in all.
        #expect(
            phone.clocks.suspending(at: bench.simulation.instant) == .milliseconds(115_200)
        )
    }

    @Test func `what comes while it is awake rides along`() {
        let phone = phone(screen: false)
        phone.wake(.push, for: .seconds(5))
        bench.run(until: .seconds(3))
        phone.wake(.job, for: .seconds(4))
        bench.run(until: .seconds(6))
        #expect(phone.isAwake)
        bench.run(until: .seconds(7))
        #expect(!phone.isAwake)
        #expect(phone.wakeUps == 1)
        // A shorter hold does not end a longer one.
        phone.wake(.timer, for: .seconds(10))
        phone.wake(.network, for: .seconds(1))
        bench.run(until: .seconds(16))
        #expect(phone.isAwake)
        bench.run(until: .seconds(17))
        #expect(!phone.isAwake)
        #expect(phone.wakeUps == 2)
    }

    @Test func `the screen holds it awake, and is no wake-up when it is`() {
        let phone = phone(screen: true)
        #expect(phone.isAwake)
        phone.wake(.timer, for: .seconds(2))
        bench.run(until: .seconds(60))
        #expect(phone.isAwake)
        phone.setScreen(on: false)
        #expect(!phone.isAwake)
        phone.setScreen(on: false)
        phone.setScreen(on: true)
        #expect(phone.wakeUps == 1)
        #expect(bench.observed == [.deviceWoke(.user)])
    }

    @Test func `changes are told`() {
        let phone = phone(screen: true)
        var changes: [Bool] = []
        phone.onChange = { changes.append($0) }
        phone.setScreen(on: false)
        phone.wake(.push, for: .seconds(1))
        bench.run(until: .seconds(5))
        #expect(changes == [false, true, false])
    }

    @Test func `setting the wall clock moves that clock alone`() {
        let phone = phone(screen: true)
        bench.run(until: .seconds(10))
        phone.jumpWallClock(by: .seconds(-3_600))
        #expect(phone.clocks.wall(at: bench.simulation.instant) == .worldBegins + .seconds(-3_590))
        #expect(phone.clocks.continuous(at: bench.simulation.instant) == .seconds(10))
    }
}
