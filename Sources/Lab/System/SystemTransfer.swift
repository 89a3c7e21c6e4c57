import ClientModules
import Foundation
import NetworkModel
import Quantities
import SimulationKernel

/// One transfer that the system has in hand: it outlives the app's process.
final class SystemTransfer {
    let identifier: String
    let request: HTTPRequest
    let file: String
    let range: Range<Int64>
    /// Whether the app was in front as it handed it over.
    let startedInFront: Bool
    /// When it may begin, if nothing stands in the way.
    var due: SimulationInstant
    /// Tries that the network broke.
    var failures = 0
    var flight: TransferFlight?
    /// Whether the time of its try is counted as that of a job.
    var usesQuota = false
    /// When its try began as a job.
    var jobBegan = SimulationInstant.zero
    /// Stops its try when a job has run for as long as it may.
    var timeLimit = EventHandle.none
    var result: Result<HTTPResponse, URLError>?

    init(
        identifier: String,
        request: HTTPRequest,
        file: String,
        range: Range<Int64>,
        startedInFront: Bool,
        due: SimulationInstant
    ) {
        self.identifier = identifier
        self.request = request
        self.file = file
        self.range = range
        self.startedInFront = startedInFront
        self.due = due
    }

    /// Whether it waits to be begun.
    var isWaiting: Bool { flight == nil && result == nil }
}
