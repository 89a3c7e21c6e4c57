import ClientModules
import Foundation
import LiveClient
import Synchronization
import Testing

/// A phone for a test: manual time, a server that is a function, real files in a folder of its own.
///
/// `launch` begins a life of the app; what an earlier life left suspended is never run again, as if
/// the process had been killed there.
final class TestPhone: @unchecked Sendable {
    let clock = ManualClock()
    let path = FakePath()
    let signals = FakeSignals()
    let meter = FakeMeter()
    let transport: FakeTransport
    let folder: String
    var random: any ClientRandom = SeededRandom()
    private(set) var executor = ManualExecutor()

    init() throws {
        transport = FakeTransport(clock: clock)
        folder = NSTemporaryDirectory() + "onebar-client-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var environment: ClientEnvironment {
        ClientEnvironment(
            transport: transport,
            clock: clock,
            random: random,
            path: path,
            signals: signals,
            files: PosixFileStore(),
            directory: folder,
            memory: meter
        )
    }

    /// Begins another life of the app.
    func launch() {
        executor = ManualExecutor()
    }

    /// Starts something that goes on while the test moves time.
    @discardableResult
    func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let task = Task(executorPreference: executor) { await work() }
        executor.drain()
        return task
    }

    /// Runs something to its end without time passing.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        start {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        return try #require(result.withLock { $0 }, "it did not end without time passing").get()
    }

    /// Lets time pass, and everything happen that is due.
    func pass(_ span: Duration) {
        let end = clock.now + span
        executor.drain()
        while clock.fireNext(until: end) { executor.drain() }
        clock.advance(to: end)
        executor.drain()
    }

    /// Writes a file of `count` bytes that do not repeat; returns its path.
    func makeFile(_ name: String = "photo.jpg", count: Int) throws -> String {
        let path = folder + "/" + name
        // A pattern of 64 KiB and one byte, so that no two chunks are alike.
        var pattern = [UInt8](repeating: 0, count: 65_537)
        for index in pattern.indices { pattern[index] = UInt8(truncatingIfNeeded: index &* 31) }
        var data = Data(capacity: count)
        while data.count < count { data.append(contentsOf: pattern.prefix(count - data.count)) }
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }
}

/// Collects what an observer hears.
final class Heard<Event: Sendable>: Sendable {
    private let list = Mutex<[Event]>([])

    var all: [Event] { list.withLock { $0 } }

    func hear(_ event: Event) {
        list.withLock { $0.append(event) }
    }
}
