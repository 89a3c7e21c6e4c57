import SQLiteStore

extension ChunkedUploader {
    /// Follows the path: a new route voids what was measured and is a reason to try at once.
    func watchPath() async {
        for await path in environment.path.changes() {
            if reachability.take(path) {
                sizer.pathChanged()
                pieces?.pathChanged()
                for sequence in gauges.keys.sorted() { gauges[sequence]?.pathChanged() }
                tryEarly()
            }
            wake.raise()
        }
    }

    /// Follows the lifecycle: a person who looks is a reason to try.
    func watchPhases() async {
        var isFirst = true
        for await phase in environment.signals.phases() {
            // The first is the phase at launch, which has waits of its own.
            if phase == .foreground, !isFirst {
                tryEarly()
                wake.raise()
            }
            isFirst = false
        }
    }

    /// Somebody has signed in: what nobody could send is tried now, not at the end of its wait.
    ///
    /// Call it when `Session.signIn` has returned. What an earlier launch left waits on, as the server may have
    /// asked for it.
    public func signedIn() async {
        let now = environment.clock.now
        for (sequence, wait) in waits where wait.kind == .client && wait.dueAt > now {
            waits[sequence]?.dueAt = now
        }
        wake.raise()
    }

    /// Gives SQLite's clean pages back when memory is short.
    func watchMemory() async {
        for await level in environment.signals.memoryPressure() where level > .normal {
            store.connection.releaseMemory()
            declareMemory()
        }
    }

    /// Tells the meter what the database holds.
    func declareMemory() {
        let held = store.connection.memoryUse.totalBytes
        environment.memory.declare(Int64(held), holder: "upload.database")
    }

    /// Runs a change of the database until it holds; false when the task was cancelled first.
    func durably(_ change: () throws -> Void) async -> Bool {
        await StorageRetry(environment, configuration.retry)
            .untilDone(report: { observer?(.storageFailed(description: $0)) }, change)
    }

    private func tryEarly() {
        let now = environment.clock.now
        guard reachability.allowsEarlyTry(at: now) else { return }
        // One draw for all: the order of a dictionary must not reach the random stream.
        let due = now + environment.random.duration(upTo: configuration.retry.base)
        for (sequence, wait) in waits where wait.mayEndEarly && wait.dueAt > due {
            waits[sequence]?.dueAt = due
        }
    }
}
