import Synchronization

/// Runs the jobs of its tasks one after another, when the test says so.
///
/// Whatever escapes it (an unstructured task in a module) would not run, and the test would see
/// nothing happen: so these tests also hold the modules to portable mode.
final class ManualExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs jobs until there are none; traps on a module that spins.
    func drain() {
        var count = 0
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
            count += 1
            precondition(count < 1_000_000, "a million jobs without a pause: something spins")
        }
    }
}
