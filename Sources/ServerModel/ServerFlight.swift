import HTTPVocabulary
import Quantities
import SimulationKernel

/// One request while the server has to do with it.
final class ServerFlight {
    /// The request and the way to answer it.
    let exchange: any HTTPExchange
    /// When its head arrived.
    let arrival: SimulationInstant
    /// Route template.
    let route: String
    /// Who serves it.
    let service: Service
    /// Its body, for services that need it whole.
    var body: [UInt8] = []
    /// Bytes of the body so far, kept or not.
    var received = 0
    /// When bytes of the body arrived last.
    var lastProgress: SimulationInstant
    /// Gives the request up when its body stands still.
    var timeout = EventHandle.none
    /// Whether the body is complete.
    var isWhole = false
    /// Whether the connection broke.
    var isLost = false

    /// Who serves a request.
    enum Service {
        /// Nobody: the answer stands from the start.
        case refused(ServerAnswer)
        /// The same, after the time that a served request takes.
        case rejected(ServerAnswer)
        /// A route that changes state.
        case mutation(MutationRoute)
        /// A route that gives the same answer to all.
        case resource(HTTPResponseMessage)
        /// The token endpoint.
        case tokens
        /// Uploads: what the head asks for has been checked.
        case upload(UploadOperation)
    }

    init(_ exchange: any HTTPExchange, at now: SimulationInstant, route: String, service: Service) {
        self.exchange = exchange
        arrival = now
        lastProgress = now
        self.route = route
        self.service = service
    }
}

/// What a checked tus request does once it is whole.
enum UploadOperation {
    case options
    case create(length: Int64, metadata: String?, identity: String)
    case head(StoredUpload)
    case append(StoredUpload, checksum: [UInt8]?)
    case terminate(StoredUpload)
}
