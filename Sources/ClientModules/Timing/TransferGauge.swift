import Foundation
import Synchronization

/// Watches one transfer from the side: how far it is, whether it is still wanted, whether the path under it changed.
final class TransferGauge: Sendable {
    private struct State {
        var handedOver: Int64 = 0
        var isUnwanted = false
        /// How often the path changed.
        var changes = 0
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
        state.withLock { $0.changes += 1 }
        signal.raise()
    }

    /// Throws when the transfer should end: it is unwanted, or stands still after a change of the path.
    ///
    /// A socket whose address is gone gets no answer and no error; without this, only a timeout
    /// tells.
    func watch(grace: Duration, clock: any ClientClock) async throws {
        var seen = 0
        while true {
            while try changes() == seen {
                await signal.wait()
                try Task.checkCancellation()
            }
            seen = try changes()
            let before = handedOver
            let end = clock.now + grace
            while clock.now < end {
                await signal.wait(until: end, clock: clock)
                try Task.checkCancellation()
                _ = try changes()
            }
            guard handedOver > before else { throw URLError(.networkConnectionLost) }
        }
    }

    /// How often the path changed; throws when the transfer is unwanted.
    private func changes() throws -> Int {
        try state.withLock { state in
            guard !state.isUnwanted else { throw URLError(.cancelled) }
            return state.changes
        }
    }
}
