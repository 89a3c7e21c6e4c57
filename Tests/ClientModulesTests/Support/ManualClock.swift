import ClientModules
import Foundation
import Synchronization

/// A clock that stands still until the test moves it from timer to timer.
final class ManualClock: ClientClock {
    private struct Timer {
        var deadline: Duration
        var number: Int
        var continuation: UnsafeContinuation<Bool, Never>
    }

    private struct State {
        var now: Duration = .seconds(1_000)
        var wall: Duration = .seconds(1_800_000_000)
        var boot = "boot-1"
        var timers: [Timer] = []
        var count = 0
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    var now: Duration { state.withLock { $0.now } }
    var bootIdentifier: String { state.withLock { $0.boot } }
    var wallTime: Date {
        Date(timeIntervalSince1970: state.withLock { Double($0.wall.components.seconds) })
    }

    func sleep(until deadline: Duration) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let isDone = await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
                let result: Bool? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return false }
                    if state.now >= deadline { return true }
                    state.timers.append(
                        Timer(deadline: deadline, number: number, continuation: continuation)
                    )
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let timer: Timer? = state.withLock { state in
                guard let index = state.timers.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.timers.remove(at: index)
            }
            timer?.continuation.resume(returning: false)
        }
        if !isDone { throw CancellationError() }
    }

    /// Moves to the earliest timer not after `limit` and fires it; false when there is none.
    func fireNext(until limit: Duration) -> Bool {
        let timer: Timer? = state.withLock { state in
            let next = state.timers.min { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
            guard let next, next.deadline <= limit else { return nil }
            state.timers.removeAll { $0.number == next.number }
            Self.move(&state, to: max(state.now, next.deadline))
            return next
        }
        timer?.continuation.resume(returning: true)
        return timer != nil
    }

    /// Moves on without firing anything; the caller has fired what was due.
    func advance(to instant: Duration) {
        state.withLock { Self.move(&$0, to: max($0.now, instant)) }
    }

    /// Starts another boot: the monotonic clock begins anew, the wall clock goes on after `gap`.
    func reboot(after gap: Duration) {
        state.withLock { state in
            state.boot = "boot-\(state.boot.count + state.count)"
            state.now = .seconds(5)
            state.wall += gap
            state.timers.removeAll()
        }
    }

    /// Sets the wall clock forward or back.
    func jumpWall(by span: Duration) {
        state.withLock { $0.wall += span }
    }

    private static func move(_ state: inout State, to instant: Duration) {
        state.wall += instant - state.now
        state.now = instant
    }
}
