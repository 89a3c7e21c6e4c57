import CVirtualTime
import Quantities

// The only file that uses the runtime's SPI: `_createExecutors`, `SchedulingExecutor`, the id of a job.
#if os(Linux)
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
#endif

/// What a toolchain no longer does, so that unmodified code cannot be simulated with it.
package struct ExecutorCaptureError: Error, CustomStringConvertible, Equatable {
    /// A sentence with the remedy.
    package let description: String
}

/// Puts jobs of unmodified asynchronous code on the queue of the world that the thread hosts.
///
/// Process-wide and for good, but routed by thread: on a thread that hosts no world every job goes to the
/// executor that was there before.
package enum ExecutorCapture {
    /// Whether jobs of the main actor are captured too.
    package static var includesMain: Bool { installation.withLock { $0.includesMain } }

    private struct Installation {
        var isInstalled = false
        var includesMain = false
    }

    private static let installation = Lock(Installation())

    /// Installs the capture, and tries it once: throws a sentence if this toolchain does not honour it.
    ///
    /// The main actor is captured in a runner that owns its process; never inside `swift test`, where the
    /// test library needs it. Does nothing in portable mode, or where it is installed already.
    package static func install(includingMain: Bool = false) throws {
        guard LabMode.current == .captured else { return }
        try force(includingMain: includingMain)
    }

    private static func force(includingMain: Bool) throws(ExecutorCaptureError) {
        installation.withLock { installation in
            if !installation.isInstalled || includingMain && !installation.includesMain {
                #if os(Linux)
                Router.install(includingMain: includingMain)
                #endif
                installation.isInstalled = true
                installation.includesMain = includingMain
            }
        }
        if let failure = selfTestFailure { throw failure }
    }

    /// Tried once, by whoever comes first; the others wait for it.
    private static let selfTestFailure: ExecutorCaptureError? = {
        do throws(ExecutorCaptureError) {
            try CaptureSelfTest.run()
            return nil
        } catch {
            return error
        }
    }()

    /// Installs the capture, or stops with the sentence that says why it cannot be.
    static func requireInstalled() {
        do {
            try force(includingMain: includesMain)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

#if os(Linux)
/// The task that a job belongs to; 0 for an actor's drain job.
@_silgen_name("swift_task_getJobTaskId")
func jobTaskIdentifier(_ job: UnownedJob) -> UInt64

/// The executor of everything but the main actor.
private final class Router: TaskExecutor, SchedulingExecutor, @unchecked Sendable {
    static let shared = Router()
    nonisolated(unsafe) static var originalDefault: (any TaskExecutor)?
    nonisolated(unsafe) static var originalMain: (any MainExecutor)?

    static func install(includingMain: Bool) {
        if originalDefault == nil {
            originalDefault = Task.defaultExecutor
            originalMain = MainActor.executor
        }
        if includingMain {
            _createExecutors(factory: FullFactory.self)
        } else {
            _createExecutors(factory: PoolFactory.self)
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        if let state = onebar_hosted_state() {
            hosted(state)._withUnsafeGuaranteedRef { $0.enqueue(unowned, lane: .background) }
        } else if !isForeignWakeUp(unowned) {
            Self.originalDefault?.enqueue(ExecutorJob(unowned))
        }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        at instant: C.Instant,
        tolerance: C.Duration?,
        clock: C
    ) {
        if let state = onebar_hosted_state() {
            let deadline = simulatedDeadline(instant, clock, state)
            let unowned = UnownedJob(job)
            hosted(state)._withUnsafeGuaranteedRef {
                $0.enqueue(unowned, lane: .background, at: deadline)
            }
        } else if let original = Self.originalDefault as? any SchedulingExecutor {
            original.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
        }
    }
}

/// The executor of the main actor, in the runner.
private final class MainRouter: MainExecutor, SchedulingExecutor, @unchecked Sendable {
    static let shared = MainRouter()

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        if let state = onebar_hosted_state() {
            hosted(state)._withUnsafeGuaranteedRef { $0.enqueue(unowned, lane: .main) }
        } else if !isForeignWakeUp(unowned) {
            Router.originalMain?.enqueue(ExecutorJob(unowned))
        }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        at instant: C.Instant,
        tolerance: C.Duration?,
        clock: C
    ) {
        if let state = onebar_hosted_state() {
            let deadline = simulatedDeadline(instant, clock, state)
            let unowned = UnownedJob(job)
            hosted(state)._withUnsafeGuaranteedRef {
                $0.enqueue(unowned, lane: .main, at: deadline)
            }
        } else if let original = Router.originalMain as? any SchedulingExecutor {
            original.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
        }
    }

    func run() throws { try Router.originalMain?.run() }
    func runUntil(_ condition: () -> Bool) throws { try Router.originalMain?.runUntil(condition) }
    func stop() { Router.originalMain?.stop() }
    func checkIsolated() { Router.originalMain?.checkIsolated() }
}

private struct PoolFactory: ExecutorFactory {
    static var mainExecutor: any MainExecutor { Router.originalMain ?? MainRouter.shared }
    static var defaultExecutor: any TaskExecutor { Router.shared }
}

private struct FullFactory: ExecutorFactory {
    static var mainExecutor: any MainExecutor { MainRouter.shared }
    static var defaultExecutor: any TaskExecutor { Router.shared }
}

@inline(__always)
private func hosted(_ state: UnsafeMutablePointer<onebar_world_state>) -> Unmanaged<Simulation> {
    guard let world = state.pointee.world else { preconditionFailure("a state without a world") }
    return Unmanaged<Simulation>.fromOpaque(world)
}

/// Converts a deadline of any clock to nanoseconds of the world.
@inline(__always)
private func simulatedDeadline<C: Clock>(
    _ instant: C.Instant,
    _ clock: C,
    _ state: UnsafeMutablePointer<onebar_world_state>
) -> Int64 {
    if C.self == ContinuousClock.self, let instant = instant as? ContinuousClock.Instant {
        // An instant of the continuous clock is one `Duration` since boot; the self-test checks it.
        let sinceBoot = unsafeBitCast(instant, to: Duration.self)
        return sinceBoot.clampedNanoseconds - state.pointee.boot_base_ns
    }
    guard let span = clock.now.duration(to: instant) as? Duration else {
        preconditionFailure("Task.sleep on \(C.self): its durations are not Swift.Duration")
    }
    return state.pointee.now_ns + max(0, span.clampedNanoseconds)
}

extension Duration {
    /// Nanoseconds, clamped to a century on either side; one division where `components` takes two.
    @inline(__always)
    fileprivate var clampedNanoseconds: Int64 {
        let high = _high
        guard high >= 0, high < 170_000_000 else { return high < 0 ? 0 : 3_155_760_000_000_000_000 }
        return Int64(
            UInt64(1_000_000_000).dividingFullWidth((UInt64(high), _low)).quotient
        )
    }
}

/// Whether a job that arrives on a thread without a world belongs to one; it is reported and buried.
private func isForeignWakeUp(_ job: UnownedJob) -> Bool {
    let task = jobTaskIdentifier(job)
    let registration = onebar_task_owner(task)
    guard registration != 0 else { return false }
    if let owner = TaskRegistry.shared.owner(registration) {
        owner.world.report(
            .foreignWakeUp(task: task, owner: owner.label, thread: currentThreadName())
        )
    }
    return true
}

extension Simulation {
    @inline(__always)
    func executeOnMain(_ job: UnownedJob) {
        job.runSynchronously(on: MainRouter.shared.asUnownedSerialExecutor())
    }
}
#else
extension Simulation {
    func executeOnMain(_ job: UnownedJob) {
        preconditionFailure("the main actor is captured on Linux only")
    }
}
#endif
