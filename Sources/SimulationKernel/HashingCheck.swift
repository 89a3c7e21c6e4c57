#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Sets and dictionaries are in a random order, so a run cannot be repeated.
package struct RandomHashingError: Error, Equatable, CustomStringConvertible {
    /// What to run instead.
    package let line: String

    /// Names the line to run.
    package init(line: String) {
        self.line = line
    }

    /// A sentence with the line to run.
    package var description: String {
        "Swift orders sets and dictionaries at random in this process, so no run can be repeated; run: "
            + "SWIFT_DETERMINISTIC_HASHING=1 \(line)"
    }
}

/// Whether hashing is the same in every run of this program.
///
/// Swift reads the variable once, before `main`, so it cannot be set from within.
package enum HashingCheck {
    /// Whether this process was started with `SWIFT_DETERMINISTIC_HASHING=1`.
    package static let isDeterministic: Bool = {
        guard let value = getenv("SWIFT_DETERMINISTIC_HASHING") else { return false }
        return ["1", "y", "yes", "true"].contains(String(cString: value).lowercased())
    }()

    /// Throws the line to run if hashing is random.
    package static func require(line: String = "swift test") throws(RandomHashingError) {
        guard isDeterministic else { throw RandomHashingError(line: line) }
    }
}

/// Starts this program again, as it must be started to be repeatable.
package enum Reexecution {
    /// Replaces the process by itself with deterministic hashing, unless it has it; returns if it does.
    ///
    /// Call it first in `main`, before any output. Returns without it if the system refuses.
    package static func ensureDeterministicHashing() {
        guard !HashingCheck.isDeterministic else { return }
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        #if os(Linux)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
        #elseif canImport(Darwin)
        var size: UInt32 = 4_096
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { path in
            guard let base = path.baseAddress, _NSGetExecutablePath(base, &size) == 0 else {
                return
            }
            execv(base, CommandLine.unsafeArgv)
        }
        #endif
        unsetenv("SWIFT_DETERMINISTIC_HASHING")
    }
}
