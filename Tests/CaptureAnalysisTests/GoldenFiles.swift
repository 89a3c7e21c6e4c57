import CaptureAnalysis
import Foundation
import PhoneModel
import Profiles

/// The packet lists and figures that Video Optimizer's own classes gave for them.
///
/// S01 to S12 lie beside the tests; P1 is read from the shared folder when that is there.
enum GoldenFiles {
    static let scenarios = [
        "S01_single_ul", "S02_get_140k", "S03_two_bursts_3s", "S04_two_bursts_8s",
        "S05_two_bursts_20s", "S06_keepalive_60s", "S07_lte_edges", "S08_large_burst",
        "S09_fach_small", "S10_fach_ul_promo", "S11_dl_first_after_idle", "S12_upload_1MB",
    ]
    static let shared = "P1_energybox_test1"

    private static let resources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Resources/rrc-golden").path

    /// The shared data folder, found by walking up from here; nil when it is not there.
    static func sharedData(_ name: String) -> String? {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appending(path: "shared/data/\(name)").path
            if FileManager.default.fileExists(atPath: candidate) { return candidate }
            folder = folder.deletingLastPathComponent()
        }
        return nil
    }

    private static func folder(of scenario: String) -> String? {
        scenario.hasPrefix("P") ? sharedData("rrc-golden") : resources
    }

    static func traffic(_ scenario: String) throws -> Traffic? {
        guard let folder = folder(of: scenario) else { return nil }
        let text = try String(
            contentsOfFile: "\(folder)/scenarios/\(scenario).csv",
            encoding: .utf8
        )
        return try PacketListReader.read(text)
    }

    /// Rows of a CSV file that belong to a scenario, by column name.
    static func rows(_ file: String, _ scenario: String, profile: String? = nil) throws
        -> [[String: String]]
    {
        guard let folder = folder(of: scenario) else { return [] }
        let text = try String(contentsOfFile: "\(folder)/\(file).csv", encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
            .filter { $0["scenario"] == scenario && (profile == nil || $0["profile"] == profile) }
    }

    static func radio(_ name: String) throws -> RadioModel {
        try RadioFile.model(
            name,
            in: ProfileLibrary(
                folders: [ProfileLibrary.sourceTree + "/profiles"],
                workingDirectory: ProfileLibrary.sourceTree
            )
        )
    }

    /// The radio file for a profile of the golden files.
    static func radio(profile: String) throws -> RadioModel {
        switch profile {
        case "lte": try radio("lte-2012-aro")
        case "WiFi": try radio("wifi-2012-aro")
        default: try radio("umts-2010-aro-i997")
        }
    }
}
