import Quantities
import SimulationKernel
import Trace

/// What the app's processes hold of the device's memory, by holder, against the cap of one process.
///
/// It counts what is declared to it: buffers that seams hand out, SQLite's page cache, what modules
/// say through their meter. It does not see the heap. Cost of a call: the number of holders.
package final class MemoryLedger {
    /// What one process may hold.
    package let cap: ByteCount
    /// When an app is warned.
    package let thresholds: MemoryThresholds
    /// Called inside the call that breaks the cap, with the total: the place to kill the process.
    package var onBreach: ((ProcessLabel, ByteCount) -> Void)?
    /// Called when the level that a process is told changes.
    package var onPressure: ((ProcessLabel, MemoryPressure) -> Void)?
    /// The most that all processes held at once.
    package private(set) var peak = ByteCount.zero

    private struct Process {
        var label: ProcessLabel
        var holders: [MemoryUse.Holder] = []
        var total = ByteCount.zero
        var level = MemoryPressure.normal
        var isBroken = false
    }

    private let simulation: Simulation
    private let observations: ObservationStream
    private let device: Int
    private let reportStep: ByteCount
    private var processes: [Process] = []
    private var systemLevel = MemoryPressure.normal
    private var reported = ByteCount.zero
    private var reportedPeak = ByteCount.zero
    private var reportedLevel = MemoryPressure.normal

    /// Makes an empty ledger.
    ///
    /// A change is reported when it adds up to `reportStep` (256 KiB is a choice), when the level
    /// changes, and at every new peak, as the peak ends: so the greatest report is exact.
    package init(
        cap: ByteCount,
        thresholds: MemoryThresholds = .init(),
        reportStep: ByteCount = .kibibytes(256),
        simulation: Simulation,
        observations: ObservationStream,
        device: Int = 0
    ) {
        precondition(cap > .zero, "a cap of \(cap) lets nothing live")
        self.cap = cap
        self.thresholds = thresholds
        self.reportStep = reportStep
        self.simulation = simulation
        self.observations = observations
        self.device = device
    }

    /// Memory of all processes together.
    package var total: ByteCount {
        processes.reduce(.zero) { $0 + $1.total }
    }

    /// Memory of one process; none if it has ended.
    package func total(of process: ProcessLabel) -> ByteCount {
        processes.first { $0.label == process }?.total ?? .zero
    }

    /// The level that a process is told: its own, or the system's if that is worse.
    package func pressure(of process: ProcessLabel) -> MemoryPressure {
        worse(processes.first { $0.label == process }?.level ?? .normal, systemLevel)
    }

    /// A process was launched, and holds nothing yet; traps if it is known.
    package func begin(_ process: ProcessLabel) {
        precondition(!processes.contains { $0.label == process }, "\(process) runs already")
        processes.append(Process(label: process))
    }

    /// A process has ended and its memory is free; what it says from now on is ignored.
    package func end(_ process: ProcessLabel) {
        guard let index = processes.firstIndex(where: { $0.label == process }) else { return }
        let shrinks = processes[index].total > .zero
        if shrinks { reportPeakIfNew() }
        processes.remove(at: index)
        if shrinks { report() }
    }

    /// `process` now holds `size` more under `holder`.
    package func charge(_ size: ByteCount, to process: ProcessLabel, holder: String) {
        precondition(size >= .zero, "a charge of \(size) is a release")
        change(process, holder) { $0 + size }
    }

    /// `process` gives `size` back that it held under `holder`; traps if it did not hold so much.
    package func release(_ size: ByteCount, of process: ProcessLabel, holder: String) {
        precondition(size >= .zero, "a release of \(size) is a charge")
        change(process, holder) { held in
            precondition(held >= size, "\(holder) releases \(size) and holds \(held)")
            return held - size
        }
    }

    /// `process` now holds `size` in all under `holder`.
    package func declare(_ size: ByteCount, of process: ProcessLabel, holder: String) {
        precondition(size >= .zero, "nobody holds \(size)")
        change(process, holder) { _ in size }
    }

    /// The system as a whole is short of memory, whatever the app holds; `normal` ends it.
    package func setSystemPressure(_ level: MemoryPressure) {
        guard level != systemLevel else { return }
        let before = processes.map { pressure(of: $0.label) }
        systemLevel = level
        report()
        for (process, old) in zip(processes, before) where pressure(of: process.label) != old {
            onPressure?(process.label, pressure(of: process.label))
        }
    }

    /// Reports a peak that still lasts: to be called once, as the run ends.
    package func finish() {
        reportPeakIfNew()
    }

    private func change(
        _ process: ProcessLabel,
        _ holder: String,
        _ amount: (ByteCount) -> ByteCount
    ) {
        guard let index = processes.firstIndex(where: { $0.label == process }) else { return }
        let slot = processes[index].holders.firstIndex { $0.name == holder }
        let held = slot.map { processes[index].holders[$0].size } ?? .zero
        let next = amount(held)
        guard next != held else { return }
        if next < held { reportPeakIfNew() }
        if let slot {
            processes[index].holders[slot].size = next
        } else {
            processes[index].holders.append(.init(name: holder, size: next))
        }
        let sum = processes[index].total + next - held
        processes[index].total = sum
        peak = max(peak, total)
        let old = pressure(of: process)
        processes[index].level = thresholds.level(
            of: sum,
            cap: cap,
            after: processes[index].level
        )
        let new = pressure(of: process)
        let isBreach = sum > cap && !processes[index].isBroken
        if isBreach { processes[index].isBroken = true }
        let difference = total - reported
        if new != old || isBreach || difference >= reportStep || .zero - difference >= reportStep {
            report()
        }
        if new != old { onPressure?(process, new) }
        if isBreach { onBreach?(process, sum) }
    }

    private func reportPeakIfNew() {
        if total > reportedPeak { report() }
    }

    private func report() {
        let sum = total
        let level = processes.reduce(systemLevel) { worse($0, $1.level) }
        guard sum != reported || level != reportedLevel else { return }
        reported = sum
        reportedLevel = level
        reportedPeak = max(reportedPeak, sum)
        var holders: [MemoryUse.Holder] = []
        for holder in processes.flatMap(\.holders) where holder.size > .zero {
            if let index = holders.firstIndex(where: { $0.name == holder.name }) {
                holders[index].size = holders[index].size + holder.size
            } else {
                holders.append(holder)
            }
        }
        holders.sort { ($1.size, $0.name) < ($0.size, $1.name) }
        observations.report(
            .memoryChanged(MemoryUse(total: sum, holders: holders, pressure: level)),
            at: simulation.instant,
            device: device
        )
    }

    private func worse(_ one: MemoryPressure, _ other: MemoryPressure) -> MemoryPressure {
        switch (one, other) {
        case (.critical, _), (_, .critical): .critical
        case (.warning, _), (_, .warning): .warning
        default: .normal
        }
    }
}
