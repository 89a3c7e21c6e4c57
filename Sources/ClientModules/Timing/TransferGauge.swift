import Foundation
import Synchronization

/// Watches one transfer from the side: how far it is, whether it is still wanted, whether the path under it changed.
final class TransferGauge: Sendable {
    private struct State {
        var handedOver: Int64 = 0
        var isUnwanted = false
    }

    private let state = Mutex(State())
    private let signal = WakeSignal()

    /// Bytes of the body that were handed to the socket.
    var handedOver: Int64 { state.withLock { $0.handedOver } }

    /// Notes how far the transfer is.
    func advance(to bytes: Int64) {
        state.withLock { $0.handedOver = bytes }
    }

    /// Ends the transfer at once.
    func abandon() {
        state.withLock { $0.isUnwanted = true }
        signal.raise()
    }

    /// Has the transfer prove within `grace` that it survived a change of the path.
    func pathChanged() {
        signal.raise()
    }

    /// Throws when the transfer should end: it is unwanted, or stands still after a change of the path.
    ///
    /// A socket whose address is gone gets no answer and no error; without this, only a timeout
    /// tells.
    func watch(grace: Duration, clock: any ClientClock) async throws {
        while true {
            await signal.wait()
            try Task.checkCancellation()
            guard !state.withLock({ $0.isUnwanted }) else { throw URLError(.cancelled) }
            let before = handedOver
            try await clock.sleep(for: grace)
            guard handedOver > before else { throw URLError(.networkConnectionLost) }
        }
    }
}
