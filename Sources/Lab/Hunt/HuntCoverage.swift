import Profiles

/// Which of the places that a good run offers a hunt has struck so far.
package struct HuntCoverage: Sendable {
    private let schedule: HuntSchedule
    private var fired: [Bool]

    /// Nothing is struck yet.
    package init(_ schedule: HuntSchedule) {
        self.schedule = schedule
        fired = [Bool](repeating: false, count: schedule.singles.count)
    }

    /// Takes in a stretch of the schedule.
    package mutating func add(_ batch: TrialBatch) {
        for (offset, fates) in batch.fates.enumerated() {
            let (phase, number) = schedule.phase(of: batch.from + offset)
            guard phase == .singles, fates.first == .fired else { continue }
            fired[number] = true
        }
    }

    /// How many of the single faults fired.
    package var struck: Int { fired.count { $0 } }
    /// How many there are.
    package var total: Int { fired.count }

    /// Struck and total for each kind of fault, in the order of kinds.
    package var byKind: [(kind: FaultKind, struck: Int, total: Int)] {
        FaultKind.allCases.compactMap { kind in
            let places = schedule.singles.indices.filter { schedule.singles[$0].kind == kind }
            guard !places.isEmpty else { return nil }
            return (kind, places.count { fired[$0] }, places.count)
        }
    }
}
