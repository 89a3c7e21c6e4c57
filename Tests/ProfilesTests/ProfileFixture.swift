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
        try write("profiles/p.jsonc", text)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A device with every required field.
    static let phone = """
        { "onebar": 1, "source": "made up", "os": "android-14", "battery": "4000mAh",
          "memory_limit": "256MiB", "disk": "f2fs-ufs" }
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
