#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How asynchronous code is brought into simulated time.
package enum LabMode: String, Sendable, CaseIterable {
    /// Unmodified code: executors, clocks and entropy are captured. Linux with a known toolchain.
    case captured
    /// Injected clocks and the public executor API only: everywhere else, and on `ONEBAR_PORTABLE=1`.
    case portable

    /// The mode of this run, from the platform and the environment.
    package static let current: LabMode = {
        #if os(Linux)
        if let value = getenv("ONEBAR_PORTABLE"), String(cString: value) == "1" {
            return .portable
        }
        return .captured
        #else
        return .portable
        #endif
    }()
}

extension LabMode: CustomStringConvertible {
    /// `captured` or `portable`.
    package var description: String { rawValue }
}
