import Measurements

/// Faults to be put on top of a profile's own: what a hunt tries, shrinks, saves and replays.
///
/// Pure data. Every entry heals by itself and none needs another, so that any subset of a plan is a
/// plan: that is what lets it shrink.
package struct FaultPlan: Equatable, Sendable {
    /// What the first line of a plan's file says of its form.
    package static let format = "onebar.plan/1"

    /// The profile, by name or path.
    package var profile: String
    /// The seed of the run.
    package var seed: UInt64
    /// The faults, numbered from zero.
    package private(set) var faults: [FaultEntry]
    /// The failure that the plan is known to provoke; nil for none.
    package var failure: PlannedFailure?
    /// The test whose module the plan runs, as a file and a function; nil for a profile's own app.
    package var test: String?

    /// Makes a plan; the faults are numbered anew.
    package init(
        profile: String,
        seed: UInt64,
        faults: [FaultEntry] = [],
        failure: PlannedFailure? = nil,
        test: String? = nil
    ) {
        self.profile = profile
        self.seed = seed
        self.faults = Self.numbered(faults, from: 0)
        self.failure = failure
        self.test = test
    }

    /// The plan with other faults.
    package func with(_ faults: [FaultEntry]) -> FaultPlan {
        FaultPlan(profile: profile, seed: seed, faults: faults, failure: failure, test: test)
    }

    /// The faults as they join others that are declared already.
    package static func numbered(_ faults: [FaultEntry], from first: Int) -> [FaultEntry] {
        faults.enumerated().map { offset, entry in
            var entry = entry
            entry.index = first + offset
            entry.isStrict = false
            return entry
        }
    }
}

/// What a plan is known to provoke.
package struct PlannedFailure: Equatable, Sendable {
    /// What makes another failure the same one.
    package var identity: FailureIdentity
    /// What was said of it when the plan was made.
    package var message: String

    /// Makes a failure.
    package init(identity: FailureIdentity, message: String) {
        self.identity = identity
        self.message = message
    }
}

extension FaultEntry {
    /// Makes an entry that no file declares: a hunt's own.
    package init(_ effect: FaultEffect, _ placement: FaultPlacement) {
        self.init(
            index: 0,
            effect: effect,
            placement: placement,
            isStrict: false,
            location: SourceLocation(path: "plan")
        )
    }

    /// Whether another entry does the same at the same place, whatever its number.
    package func isSame(as other: FaultEntry) -> Bool {
        effect == other.effect && placement == other.placement
    }
}
