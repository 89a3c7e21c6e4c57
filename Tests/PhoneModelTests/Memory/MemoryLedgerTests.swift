import PhoneModel
import Quantities
import SimulationKernel
import Testing
import Trace

@Suite struct MemoryLedgerTests {
    let bench = PhoneBench()
    let app = ProcessLabel(device: 0, launch: 1)

    private func ledger(
        cap: Int64 = 1_000,
        step: Int64 = 100,
        thresholds: MemoryThresholds = .init()
    ) -> MemoryLedger {
        let ledger = MemoryLedger(
            cap: .bytes(cap),
            thresholds: thresholds,
            reportStep: .bytes(step),
            simulation: bench.simulation,
            observations: bench.observations
        )
        ledger.begin(app)
        return ledger
    }

    @Test func `charges, releases and declarations add up by holder`() {
        let ledger = ledger()
        ledger.charge(.bytes(120), to: app, holder: "chunks")
        ledger.charge(.bytes(80), to: app, holder: "chunks")
        ledger.declare(.bytes(150), of: app, holder: "sqlite")
        ledger.declare(.bytes(50), of: app, holder: "sqlite")
        ledger.release(.bytes(40), of: app, holder: "chunks")
        // 120 + 80 - 40, and 50.
        #expect(ledger.total == .bytes(210))
        #expect(ledger.total(of: app) == .bytes(210))
        // 200 + 150 was the most.
        #expect(ledger.peak == .bytes(350))
    }

    @Test func `holders are reported largest first, and by name when equal`() {
        let ledger = ledger(step: 1)
        ledger.charge(.bytes(10), to: app, holder: "b")
        ledger.charge(.bytes(10), to: app, holder: "a")
        ledger.charge(.bytes(30), to: app, holder: "c")
        #expect(bench.memory.last?.holders.map(\.name) == ["c", "a", "b"])
        ledger.release(.bytes(30), of: app, holder: "c")
        #expect(bench.memory.last?.holders.map(\.name) == ["a", "b"])
    }

    @Test func `small changes are not reported, but add up`() {
        let ledger = ledger(step: 100)
        for _ in 0..<25 { ledger.charge(.bytes(10), to: app, holder: "x") }
        // At 100 and at 200.
        #expect(bench.memory.map(\.total) == [.bytes(100), .bytes(200)])
    }

    @Test func `the greatest report is the peak, exactly`() {
        let ledger = ledger(step: 100)
        ledger.charge(.bytes(130), to: app, holder: "x")
        ledger.charge(.bytes(7), to: app, holder: "x")
        ledger.release(.bytes(1), of: app, holder: "x")
        // 130 by the step; 137 as it ends.
        #expect(bench.memory.map(\.total) == [.bytes(130), .bytes(137)])
        ledger.charge(.bytes(3), to: app, holder: "x")
        ledger.finish()
        // 136 + 3 = 139: a peak that lasts to the end of the run.
        #expect(bench.memory.last?.total == .bytes(139))
        #expect(bench.memory.map(\.total).max() == ledger.peak)
    }

    @Test func `pressure rises at 50 and 75 percent and falls 5 below`() {
        let ledger = ledger(step: 1_000)
        var told: [MemoryPressure] = []
        ledger.onPressure = { told.append($1) }
        // Up: 499 no, 500 warning, 749 no, 750 critical. Down: 701 no, 699 warning, 450 no,
        // 449 normal (75 - 5 = 70 % and 50 - 5 = 45 % are still held at the very share).
        for size: Int64 in [499, 500, 749, 750, 701, 700, 699, 450, 449] {
            ledger.declare(.bytes(size), of: app, holder: "x")
        }
        #expect(told == [.warning, .critical, .warning, .normal])
        #expect(bench.memory.map(\.total).contains(.bytes(699)))
        #expect(bench.memory.last?.pressure == .normal)
    }

    @Test func `a jump over both thresholds is told once`() {
        let ledger = ledger()
        var told: [MemoryPressure] = []
        ledger.onPressure = { told.append($1) }
        ledger.charge(.bytes(900), to: app, holder: "x")
        ledger.release(.bytes(900), of: app, holder: "x")
        #expect(told == [.critical, .normal])
    }

    @Test func `a breach of the cap is called once, within the charge, and kills`() {
        let ledger = ledger()
        var breaches: [ByteCount] = []
        ledger.onBreach = { process, total in
            breaches.append(total)
            ledger.end(process)
        }
        ledger.charge(.bytes(1_000), to: app, holder: "x")
        #expect(breaches.isEmpty)
        ledger.charge(.bytes(1), to: app, holder: "x")
        #expect(breaches == [.bytes(1_001)])
        #expect(ledger.total == .zero)
        #expect(ledger.peak == .bytes(1_001))
        #expect(bench.memory.map(\.total) == [.bytes(1_000), .bytes(1_001), .zero])
    }

    @Test func `a process that is not killed is not killed again`() {
        let ledger = ledger()
        var breaches = 0
        ledger.onBreach = { _, _ in breaches += 1 }
        ledger.charge(.bytes(1_001), to: app, holder: "x")
        ledger.charge(.bytes(1), to: app, holder: "x")
        #expect(breaches == 1)
    }

    @Test func `what the dead give back changes nothing`() {
        let ledger = ledger()
        ledger.charge(.bytes(300), to: app, holder: "x")
        ledger.end(app)
        let next = ProcessLabel(device: 0, launch: 2)
        ledger.begin(next)
        ledger.charge(.bytes(200), to: next, holder: "x")
        ledger.release(.bytes(300), of: app, holder: "x")
        ledger.charge(.bytes(500), to: app, holder: "x")
        #expect(ledger.total == .bytes(200))
        #expect(ledger.total(of: app) == .zero)
    }

    @Test func `two processes share the device but not the cap`() {
        let ledger = ledger()
        let other = ProcessLabel(device: 0, launch: 2)
        ledger.begin(other)
        var breaches = 0
        ledger.onBreach = { _, _ in breaches += 1 }
        ledger.charge(.bytes(600), to: app, holder: "x")
        ledger.charge(.bytes(700), to: other, holder: "x")
        #expect(breaches == 0)
        #expect(ledger.total == .bytes(1_300))
        #expect(bench.memory.last?.holders == [.init(name: "x", size: .bytes(1_300))])
    }

    @Test func `the system's pressure is worse or not at all`() {
        let ledger = ledger()
        var told: [MemoryPressure] = []
        ledger.onPressure = { told.append($1) }
        ledger.charge(.bytes(600), to: app, holder: "x")
        ledger.setSystemPressure(.warning)
        ledger.setSystemPressure(.critical)
        #expect(ledger.pressure(of: app) == .critical)
        ledger.setSystemPressure(.normal)
        // The app's own warning, the system's critical, and the app's own again.
        #expect(told == [.warning, .critical, .warning])
        #expect(bench.memory.map(\.pressure) == [.warning, .critical, .warning])
    }

    @Test func `giving back more than is held traps`() async {
        await #expect(processExitsWith: .failure) {
            let bench = PhoneBench()
            let ledger = MemoryLedger(
                cap: .bytes(10),
                simulation: bench.simulation,
                observations: bench.observations
            )
            let app = ProcessLabel(device: 0, launch: 1)
            ledger.begin(app)
            ledger.charge(.bytes(5), to: app, holder: "x")
            ledger.release(.bytes(6), of: app, holder: "x")
        }
    }

    @Test func `thresholds are exact where the cap does not divide`() {
        // A third of 100 is reached at 34, not at 33.
        let thirds = MemoryThresholds(
            warning: Probability(1, of: 3),
            critical: Probability(2, of: 3),
            margin: .never
        )
        let ledger = ledger(cap: 100, thresholds: thirds)
        ledger.declare(.bytes(33), of: app, holder: "x")
        #expect(ledger.pressure(of: app) == .normal)
        ledger.declare(.bytes(34), of: app, holder: "x")
        #expect(ledger.pressure(of: app) == .warning)
        ledger.declare(.bytes(67), of: app, holder: "x")
        #expect(ledger.pressure(of: app) == .critical)
    }
}
