import Lab
import SimulationKernel

/// Makes a process fit to host worlds, or says why it is not.
enum LabStart {
    /// Captures the executors and tries them; throws a `CommandFailure` with a sentence.
    static func prepare() throws(CommandFailure) {
        do {
            try HashingCheck.require(line: "onebar")
            try ExecutorCapture.install(includingMain: true)
        } catch {
            throw CommandFailure("onebar: error: \(error)", code: .internalError)
        }
    }
}
