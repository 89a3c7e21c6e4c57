import Dispatch
import Foundation

/// Blocks the calling thread the way careless code does.
func blockThread(microseconds: UInt32) {
    usleep(microseconds)
}

/// Runs `body` on a thread of its own and waits for its end.
func runOnForeignThread(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
        body()
        isDone.signal()
    }
    thread.start()
    isDone.wait()
}
