import Quantities

/// The phone's whole memory: what the system keeps, which apps wait in it, and who goes to make room.
///
/// Apps out of sight stay in memory until it is needed; then the largest goes first, as a low-memory
/// killer frees the most with the fewest deaths (`radio.md` C.7). Real killers weigh age and
/// importance too; size alone among equals is a simplification.
package struct BackgroundMemory: Equatable, Sendable {
    /// An app that waits in memory.
    package struct Tenant: Equatable, Sendable {
        /// Its name, unique.
        package var name: String
        /// What it occupies.
        package var size: ByteCount

        /// Makes a tenant.
        package init(name: String, size: ByteCount) {
            self.name = name
            self.size = size
        }
    }

    /// Who had to go.
    package struct Outcome: Equatable, Sendable {
        /// Tenants that were killed, in order.
        package var killed: [Tenant] = []
        /// Whether the app under test was among them.
        package var killsApp = false
        /// What is still missing when nobody is left to kill.
        package var missing = ByteCount.zero

        /// Nobody had to go.
        package init() {}
    }

    /// What the system and what cannot be killed occupy.
    package var system: ByteCount
    /// Code and heap of the app under test beside what it is charged with.
    package var footprint: ByteCount
    /// Other apps that wait.
    package var tenants: [Tenant]

    /// Makes a memory.
    ///
    /// A system of 2 GB and a footprint of 80 MB are assumptions.
    package init(
        system: ByteCount = .megabytes(2_000),
        footprint: ByteCount = .megabytes(80),
        tenants: [Tenant] = []
    ) {
        self.system = system
        self.footprint = footprint
        self.tenants = tenants
    }

    /// Makes room for an app in front that needs `size`, in a phone of `memory`.
    ///
    /// `charged` is what the app under test is charged with; nil when it does not run.
    package mutating func makeRoom(
        for size: ByteCount,
        in memory: ByteCount,
        charged: ByteCount?
    ) -> Outcome {
        var outcome = Outcome()
        var app = charged.map { $0 + footprint }
        while true {
            let used = tenants.reduce(system + size + (app ?? .zero)) { $0 + $1.size }
            guard used > memory else { return outcome }
            let largest = tenants.indices.max { one, other in
                (tenants[one].size, tenants[other].name) < (tenants[other].size, tenants[one].name)
            }
            if let app, largest.map({ tenants[$0].size < app }) ?? true {
                outcome.killsApp = true
            } else if let largest {
                outcome.killed.append(tenants.remove(at: largest))
                continue
            } else {
                outcome.missing = used - memory
                return outcome
            }
            app = nil
        }
    }
}
