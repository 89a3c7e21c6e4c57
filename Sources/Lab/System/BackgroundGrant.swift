import PhoneModel
import Quantities
import SimulationKernel
import Trace

/// Time that the system has given the app out of sight, until it is over.
final class BackgroundGrant: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    let kind: SystemEvent.BackgroundGrant
    let identifier: String
    let launch: LaunchSeams
    let opened: SimulationInstant
    let expiresAt: SimulationInstant
    let overrun: WindowPolicy.Overrun
    let grace: Duration
    /// The request that it was opened for.
    let request: PendingRequest?
    /// Whether its time is counted as that of a job.
    let usesQuota: Bool
    var isOpen = true

    init(
        kind: SystemEvent.BackgroundGrant,
        identifier: String,
        launch: LaunchSeams,
        opened: SimulationInstant,
        expiresAt: SimulationInstant,
        overrun: WindowPolicy.Overrun,
        grace: Duration,
        request: PendingRequest?,
        usesQuota: Bool
    ) {
        self.kind = kind
        self.identifier = identifier
        self.launch = launch
        self.opened = opened
        self.expiresAt = expiresAt
        self.overrun = overrun
        self.grace = grace
        self.request = request
        self.usesQuota = usesQuota
    }
}

/// A wish to work later, as the system keeps it: it outlives the process.
struct PendingRequest {
    var identifier: String
    var isProcessing: Bool
    var needsNetwork: Bool
    /// When the system would grant it, if nothing stands in the way.
    var due: SimulationInstant
    /// Windows of it that failed in a row.
    var failures = 0
}
