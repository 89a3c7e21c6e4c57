import Foundation
import Quantities
import Synchronization

/// Lets bitmaps come into being only as fast as memory and processor allow, the most urgent first.
///
/// Admission is by bytes, not by count alone: four thumbnails may be decoded at a time, two
/// photographs may not. One is always admitted, however large.
final class DecodeGate: Sendable {
    private struct Waiting {
        var number: Int
        var bytes: Int64
        var tier: @Sendable () -> RequestTier
        var continuation: UnsafeContinuation<Bool, Never>
    }

    private struct State {
        var bytes: Int64 = 0
        var count = 0
        var waiting: [Waiting] = []
        var nextNumber = 0
        var leftEarly: Set<Int> = []
    }

    private let state = Mutex(State())
    private let limit: Int64
    private let parallel: Int

    init(limit: ByteCount, parallel: Int) {
        self.limit = limit.bytes
        self.parallel = parallel
    }

    /// Runs `body` when there is room for a bitmap of `size`; throws `CancellationError` if it is given up first.
    ///
    /// `tier` is asked each time there is room: urgency can change while one waits.
    func admit<Value: Sendable>(
        _ size: ByteCount,
        tier: @escaping @Sendable () -> RequestTier,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        defer { state.withLock { _ = $0.leftEarly.remove(number) } }
        let isAdmitted = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isGone = state.withLock { state in
                    guard state.leftEarly.remove(number) == nil else { return true }
                    state.waiting.append(
                        Waiting(
                            number: number,
                            bytes: size.bytes,
                            tier: tier,
                            continuation: continuation
                        )
                    )
                    return false
                }
                if isGone { continuation.resume(returning: false) } else { admitWaiting() }
            }
        } onCancel: {
            leave(number)
        }
        guard isAdmitted else { throw CancellationError() }
        defer {
            state.withLock { state in
                state.bytes -= size.bytes
                state.count -= 1
            }
            admitWaiting()
        }
        try Task.checkCancellation()
        return try await body()
    }

    private func leave(_ number: Int) {
        let waiting: Waiting? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                state.leftEarly.insert(number)
                return nil
            }
            return state.waiting.remove(at: index)
        }
        waiting?.continuation.resume(returning: false)
    }

    private func admitWaiting() {
        while let next = takeNext() { next.continuation.resume(returning: true) }
    }

    /// The most urgent that waits, the oldest of them; nil when it does not fit.
    private func takeNext() -> Waiting? {
        state.withLock { state in
            guard state.count < parallel, !state.waiting.isEmpty else { return nil }
            let tiers = state.waiting.map { $0.tier() }
            guard let urgent = tiers.max(), let index = tiers.firstIndex(of: urgent) else {
                return nil
            }
            let next = state.waiting[index]
            guard state.count == 0 || state.bytes + next.bytes <= limit else { return nil }
            state.waiting.remove(at: index)
            state.bytes += next.bytes
            state.count += 1
            return next
        }
    }
}
