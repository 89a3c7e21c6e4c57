import Foundation
import Profiles
import Quantities
import SimulationKernel

/// What a seed's result depends on, beside the seed: the executable, the profile's files, the mode.
struct SweepKey: Equatable, Sendable {
    /// The digest of the executable's bytes.
    let executable: UInt64
    /// The digest of all files that the profile was made of, overrides included.
    let profile: UInt64
    /// Captured executors or portable.
    let mode: String

    /// The key of a profile under this executable.
    init(_ closure: ProfileClosure, executable path: String) {
        executable = Self.digest(ofFileAt: path)
        profile = closure.digest
        mode = LabMode.current.rawValue
    }

    /// As folders and shards name it.
    var text: String { "\(Self.hex(executable))-\(Self.hex(profile))-\(mode)" }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func digest(ofFileAt path: String) -> UInt64 {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        else { return 0 }
        var digest = ContentDigest()
        data.withUnsafeBytes { digest.update($0) }
        return digest.value
    }
}
