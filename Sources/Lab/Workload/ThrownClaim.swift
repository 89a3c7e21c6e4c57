import ClientModules
import Foundation

/// What an error says of the deed that it ended.
enum ThrownClaim {
    /// Whether it claims that nothing was done.
    ///
    /// The transport's own errors, a call that was taken back and a retrier that gave up claim no more than
    /// that no answer came: nobody knows then.
    static func isMade(by error: any Error) -> Bool {
        switch error {
        case is URLError, is CancellationError, is RetryFailure: false
        default: true
        }
    }
}
