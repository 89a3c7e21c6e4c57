import Foundation
import PhoneModel
import Profiles
import Quantities
import Testing

/// The radio files that ship, and what is said of a wrong one.
@Suite struct RadioFileTests {
    private let library = ProfileLibrary(
        folders: [ProfileLibrary.sourceTree + "/profiles"],
        workingDirectory: ProfileLibrary.sourceTree
    )

    @Test(arguments: [
        "textbook", "lte-2012-aro", "umts-2010-aro-i997", "umts-2010-aro-captivate",
        "umts-2010-aro-inspire", "umts-2010-aro-aria", "umts-2010-aro-thrill", "wifi-2012-aro",
        "umts-2014-energybox", "wifi-2014-energybox", "lte-2021-verizon", "lte-2021-tmobile",
        "nsa-2021-lowband", "nsa-2021-mmwave", "sa-2021-lowband",
    ])
    func `every shipped radio reads and names a source for each figure`(name: String) throws {
        let model = try RadioFile.model(name, in: library)
        #expect(model.name == name)
        #expect(!model.sources.isEmpty)
        #expect(name == "textbook" || name.contains("-\(model.year)-"))
    }

    @Test func `aliases resolve to one radio each`() throws {
        #expect(try RadioFile.model("lte", in: library).name == "lte-2012-aro")
        #expect(try RadioFile.model("5g", in: library).name == "nsa-2021-lowband")
        #expect(try RadioFile.model("umts", in: library).name == "umts-2010-aro-i997")
        #expect(try RadioFile.model("wifi", in: library).name == "wifi-2012-aro")
    }

    @Test func `the LTE file carries the published figures exactly`() throws {
        let model = try RadioFile.model("lte-2012-aro", in: library)
        guard case .chain(let chain) = model.machine else {
            Issue.record("not a chain")
            return
        }
        // Research notes A.1: (0.002 x 1.68 + 0.018 x 1.06) / 0.02 = 1.122 W, likewise 1.091 W;
        // 0.043 x 0.594 / 1.28 = 19.955 mW; tail 0.12 + 0.02244 + 10.91 = 11.05244 J.
        #expect(chain.tail.map(\.state.draw.mean.microwatts) == [1_200_000, 1_122_000, 1_091_000])
        #expect(chain.idle.draw.mean.microwatts == 19_954)
        #expect(chain.tailEnergy == Energy(nanojoules: 11_052_440_000))
        #expect(chain.slope.up.microwatts == 438_390)
        #expect(model.grade == .a && model.year == 2012)
    }

    /// Reads a radio from text, or gives the lines of its errors.
    private func problems(_ text: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "onebar-radio-\(UUID().uuidString)"
        )
        let radios = folder.appending(path: "radios")
        try FileManager.default.createDirectory(at: radios, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(text.utf8).write(to: radios.appending(path: "mine.jsonc"))
        let library = ProfileLibrary(folders: [folder.path], workingDirectory: folder.path)
        do {
            _ = try RadioFile.model("mine", in: library)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private let sound = """
        { "onebar": 1, "title": "mine", "year": 2026, "grade": "C", "technology": "lte",
          "machine": "chain",
          "states": {
            "I": { "kind": "idle", "power": "0mW" },
            "P": { "kind": "promotion", "power": "1W" },
            "A": { "kind": "active", "power": "1W" },
            "T": { "kind": "tail", "power": "1W" } },
          "idle": "I",
          "promotion": { "state": "P", "delay": "260ms" },
          "active": { "state": "A", "up": "438.39mW/Mbps" },
          "tail": [{ "state": "T", "for": "10s" }],
          "sources": { "*": "assumption: a test" } }
        """

    @Test func `a sound file has no problems`() throws {
        #expect(try problems(sound) == [])
    }

    @Test(arguments: [
        (
            "\"T\": { \"kind\": \"tail\", \"power\": \"1W\" } }",
            "\"T\": { \"kind\": \"tail\", \"power\": \"1W\" }, \"X\": { \"kind\": \"tail\", \"power\": \"1W\" } }",
            "radios/mine.jsonc:7:", "can never be reached"
        ),
        ("\"for\": \"10s\"", "\"for\": \"0s\"", "radios/mine.jsonc:11:", "a timer of no time"),
        ("\"for\": \"10s\"", "\"for\": \"10m\"", "radios/mine.jsonc:11:", "minutes or milli"),
        (
            "\"power\": \"1W\" },\n    \"A\"", "\"power\": 1 },\n    \"A\"", "radios/mine.jsonc:5:",
            "quantity"
        ),
        (
            "\"kind\": \"active\", \"power\": \"1W\"", "\"kind\": \"active\"",
            "radios/mine.jsonc:6:",
            "has no \"power\""
        ),
        ("438.39mW/Mbps", "438.39mW", "radios/mine.jsonc:10:", "no slope"),
        ("\"state\": \"A\"", "\"state\": \"T\"", "radios/mine.jsonc:10:", "of kind \"tail\""),
        ("\"idle\": \"I\"", "\"idle\": \"J\"", "radios/mine.jsonc:8:", "no state \"J\""),
        (
            "\"*\": \"assumption: a test\"", "\"states\": \"x\"", "radios/mine.jsonc:9:",
            "has no source"
        ),
        (
            "\"*\": \"assumption: a test\"", "\"*\": \"x\", \"tial\": \"y\"",
            "radios/mine.jsonc:12:",
            "no figure \"tial\""
        ),
        ("\"grade\": \"C\"", "\"grade\": \"D\"", "radios/mine.jsonc:1:", "no \"grade\""),
        ("\"year\": 2026", "\"year\": 26", "radios/mine.jsonc:1:", "out of range"),
        ("\"machine\": \"chain\"", "\"machine\": \"chian\"", "radios/mine.jsonc:2:", "chain"),
        (
            "\"technology\": \"lte\"", "\"technology\": \"lte\", \"colour\": 1",
            "radios/mine.jsonc:1:",
            "unknown key \"colour\""
        ),
    ])
    func `a wrong radio is refused at its place`(
        wanted: String,
        written: String,
        place: String,
        what: String
    ) throws {
        let text = sound.replacingOccurrences(of: wanted, with: written)
        try #require(text != sound)
        let found = try problems(text)
        #expect(found.contains { $0.hasPrefix(place) && $0.contains(what) }, "\(found)")
    }

    @Test func `an unknown radio is refused with the nearest name`() {
        #expect {
            try RadioFile.model("lte-2012-arо", in: library)
        } throws: { error in
            "\(error)".contains("lte-2012-aro")
        }
    }
}
