import Foundation
import NetworkModel

extension TransportFailure {
    /// The code under which URLSession reports this failure.
    var urlErrorCode: URLError.Code {
        switch self {
        case .timedOut: .timedOut
        case .networkConnectionLost: .networkConnectionLost
        case .notConnectedToInternet: .notConnectedToInternet
        case .cannotConnectToHost: .cannotConnectToHost
        case .dnsLookupFailed: .dnsLookupFailed
        case .cancelled: .cancelled
        }
    }
}

extension URLError.Code {
    /// The name in the code, such as "timedOut".
    var name: String {
        switch self {
        case .timedOut: "timedOut"
        case .networkConnectionLost: "networkConnectionLost"
        case .notConnectedToInternet: "notConnectedToInternet"
        case .cannotConnectToHost: "cannotConnectToHost"
        case .dnsLookupFailed: "dnsLookupFailed"
        case .cancelled: "cancelled"
        default: "code \(rawValue)"
        }
    }
}
