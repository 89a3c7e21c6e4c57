import Synchronization

/// A mutex over a value, as a class, so that a static can hold it.
final class Lock<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { value throws(Failure) in try body(&value) }
    }
}
