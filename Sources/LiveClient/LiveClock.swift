import ClientModules
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The device's clocks: time since boot, sleep included, and the wall clock.
public struct LiveClock: ClientClock {
    /// Names the boot; read once.
    public let bootIdentifier: String

    /// Reads the boot's name.
    public init() {
        bootIdentifier = Self.readBootIdentifier()
    }

    /// Time since boot, which runs on while the device sleeps.
    ///
    /// The same scale in every process of one boot, so that stored readings can be compared.
    public var now: Duration {
        var time = timespec()
        #if canImport(Darwin)
        let clock = CLOCK_MONOTONIC_RAW
        #else
        let clock = CLOCK_BOOTTIME
        #endif
        let result = clock_gettime(clock, &time)
        precondition(result == 0, "the clock of time since boot cannot be read: errno \(errno)")
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// The wall clock.
    public var wallTime: Date { Date() }

    /// Returns at `deadline`; throws `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Duration) async throws {
        let span = deadline - now
        guard span > .zero else { return try Task.checkCancellation() }
        try await Task.sleep(for: span, clock: .continuous)
    }

    private static func readBootIdentifier() -> String {
        #if canImport(Darwin)
        var size = 64
        var text = [CChar](repeating: 0, count: size)
        guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else {
            return "unknown"
        }
        return String(cString: text)
        #else
        let path = "/proc/sys/kernel/random/boot_id"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            // Every launch then looks like another boot: waits begin anew, nothing is lost.
            return UUID().uuidString
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
        #endif
    }
}
