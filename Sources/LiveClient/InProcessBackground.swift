import ClientModules
import Synchronization

/// Windows for a process that nobody suspends, where no system hands any out: on servers, desktops, in tests.
///
/// A wish is granted as soon as its delay is over and, if it needs one, there is a route. It ends with the process:
/// ask again at each launch. There is no time to finish to ask for, as nothing stops the process out of sight.
public final class InProcessBackground: BackgroundWork {
    private struct State {
        var wishes: [String: (number: Int, task: Task<Void, Never>)] = [:]
        var unheard: [BackgroundWindow] = []
        var listeners: [Int: AsyncStream<BackgroundWindow>.Continuation] = [:]
        var count = 0
    }

    private let clock: any ClientClock
    private let path: any PathMonitoring
    private let length: Duration
    private let state = Mutex(State())

    /// Makes windows of a length; ten minutes, as Android's jobs have, are an assumption.
    public init(
        clock: any ClientClock = LiveClock(),
        path: any PathMonitoring = LivePathMonitor(),
        length: Duration = .seconds(600)
    ) {
        self.clock = clock
        self.path = path
        self.length = length
    }

    /// Nil: nobody suspends the process.
    public func beginFinishing(_ name: String) -> BackgroundWindow? { nil }

    /// Opens a window once the delay is over and there is a route; replaces a wish of the same identifier.
    public func request(_ request: BackgroundRequest) throws {
        let replaced = state.withLock { state in
            let before = state.wishes[request.identifier]?.task
            state.count += 1
            let number = state.count
            let task = Task { await self.grant(request, number) }
            state.wishes[request.identifier] = (number, task)
            return before
        }
        replaced?.cancel()
    }

    /// Takes a wish back.
    public func cancelRequest(identifier: String) {
        let task = state.withLock { $0.wishes.removeValue(forKey: identifier)?.task }
        task?.cancel()
    }

    /// Windows that nobody has heard of, then each as it opens.
    public func windows() -> AsyncStream<BackgroundWindow> {
        let (stream, continuation) = AsyncStream<BackgroundWindow>.makeStream()
        let number = state.withLock { state in
            state.count += 1
            state.listeners[state.count] = continuation
            for window in state.unheard { continuation.yield(window) }
            state.unheard = []
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }

    private func grant(_ request: BackgroundRequest, _ number: Int) async {
        do {
            try await clock.sleep(for: request.delay)
        } catch {
            return
        }
        if request.needsNetwork {
            for await path in path.changes() where path.isSatisfied { break }
        }
        guard !Task.isCancelled else { return }
        let window = BackgroundWindow(
            identifier: request.identifier,
            reason: .requested(request.kind),
            expiresAt: clock.now + length,
            onEnd: { _ in }
        )
        state.withLock { state in
            guard state.wishes[request.identifier]?.number == number else { return }
            state.wishes[request.identifier] = nil
            if state.listeners.isEmpty { state.unheard.append(window) }
            for (_, listener) in state.listeners.sorted(by: { $0.key < $1.key }) {
                listener.yield(window)
            }
        }
    }
}
