import Foundation

/// Where the running executable lies: workers execute the same file.
package enum ExecutablePath {
    /// The absolute path; the first argument's where the system does not tell.
    package static var current: String {
        #if os(Linux)
        if let path = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/exe"
        ) {
            return path
        }
        #endif
        return Bundle.main.executablePath ?? CommandLine.arguments[0]
    }
}
