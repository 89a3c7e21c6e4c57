import Lab
import SQLiteStore
import SimulationKernel

/// Makes a process fit to host worlds, or says why it is not.
enum LabStart {
    /// Captures the executors and tries them; throws a `CommandFailure` with a sentence.
    ///
    /// A worker, which runs world after world on one thread and then ends, gives SQLite an arena.
    static func prepare(asWorker isWorker: Bool = false) throws(CommandFailure) {
        // Before anything opens a database.
        if isWorker { SQLiteHeap.install() }
        do {
            try HashingCheck.require(line: "onebar")
            try ExecutorCapture.install(includingMain: true)
        } catch {
            throw CommandFailure("onebar: error: \(error)", code: .internalError)
        }
    }
}
