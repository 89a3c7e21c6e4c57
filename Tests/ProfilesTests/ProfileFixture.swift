import Foundation
import Profiles

/// A folder of profiles that lives as long as one test.
final class ProfileFixture {
    /// Where the files lie.
    let folder: String

    /// Makes a folder with a device preset and one profile, "p.jsonc".
    init(_ text: String = "") throws {
        folder =
            FileManager.default.temporaryDirectory.path + "/onebar-profiles-\(UUID().uuidString)"
        try write("profiles/devices/phone.jsonc", Self.phone)
        try write("profiles/radios/lte-2012-aro.jsonc", Self.radio)
        try write("profiles/p.jsonc", text)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A device with every required field.
    static let phone = """
        { "onebar": 1, "source": "made up", "os": "android-14", "battery": "4000mAh",
          "memory": "6GiB", "memory_cap": "256MiB", "screen_power": "330mW", "base_power": "50mW",
          "processor": { "active_power": "220mW", "decode_per_megapixel": "23ms",
            "parse_per_kibibyte": "20us", "launch": "450ms" },
          "disk": "f2fs-ufs" }
        """

    /// A radio with every required field.
    static let radio = """
        { "onebar": 1, "title": "made up", "year": 2026, "grade": "C", "technology": "ideal",
          "machine": "chain", "idle": "I", "promotion": { "state": "P", "delay": "0s" },
          "states": { "I": { "kind": "idle", "power": "0mW" },
            "P": { "kind": "promotion", "power": "1mW" }, "A": { "kind": "active", "power": "1mW" },
            "T": { "kind": "tail", "power": "1mW" } },
          "active": { "state": "A" }, "tail": [{ "state": "T", "for": "10s" }],
          "sources": { "*": "assumption" } }
        """

    /// Writes a file, making its folders.
    func write(_ path: String, _ text: String) throws {
        let full = folder + "/" + path
        try FileManager.default.createDirectory(
            atPath: (full as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(fileURLWithPath: full))
    }

    /// The library of this folder alone.
    var library: ProfileLibrary {
        ProfileLibrary(folders: [folder + "/profiles"], workingDirectory: folder)
    }

    /// Every error of the profile as it is printed, or its warnings if there is none.
    func messages(_ name: String = "p") -> [String] {
        do throws(ProfileError) {
            return try ScenarioReader.scenario(name, in: library).warnings.map(\.description)
        } catch {
            return error.problems.map(\.description)
        }
    }

    /// A profile that is right, with lines of JSON put in the place of its workload and after it.
    ///
    /// What is put in begins in line 5, column 1.
    static func profile(_ lines: String) -> String {
        """
        { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
          // Line 3 is the network's.
          "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" },
          "run": { "seeds": 1 },
        \(lines)
        }
        """
    }

    /// A workload of one action.
    static let workload = "\"workload\": [{ \"do\": \"message.send\", \"at\": \"1s\" }]"
}
