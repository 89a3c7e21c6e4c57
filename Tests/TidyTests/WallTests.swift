import Foundation
import Testing

/// Which room may import which: DESIGN section 2, checked from the sources.
@Suite struct WallTests {
    /// Rooms by level; a room may import any of a lower level that `Package.swift` declares.
    static let levels: [[String]] = [
        ["Quantities", "HTTPVocabulary", "CSQLite", "CSQLiteHeap", "CPCap", "CVirtualTime"],
        ["SimulationKernel", "Trace", "SQLiteStore", "PacketCapture"],
        ["ClientModules", "PhoneModel", "NetworkModel", "ServerModel"],
        ["Measurements", "LiveClient", "CaptureAnalysis"],
        ["Budgets"],
        ["History", "Profiles", "Reporting"],
        ["Lab"],
        ["Onebar", "OnebarCommands"],
        ["OnebarTool", "Benchmarks", "LiveCheck"],
    ]

    /// What a room may not import although the levels would allow it, and why.
    static let walls: [(room: String, banned: [String], why: String)] = [
        (
            "ClientModules",
            ["SimulationKernel", "Trace", "HTTPVocabulary", "PhoneModel", "NetworkModel"],
            "the code under test cannot see that it is simulated"
        ),
        (
            "SimulationKernel", ["Foundation", "FoundationEssentials"],
            "no hidden clock in the kernel"
        ),
        ("PhoneModel", ["NetworkModel", "Foundation"], "phone and network meet in Lab"),
        ("NetworkModel", ["PhoneModel", "Foundation"], "phone and network meet in Lab"),
        ("ServerModel", ["Foundation"], "no hidden clock in a model"),
        ("Trace", ["Foundation"], "no hidden clock below the front doors"),
        ("Quantities", ["Foundation"], "no hidden clock below the front doors"),
    ]

    /// The only importers of C libraries.
    static let onlyImporter = [
        "CSQLite": "SQLiteStore", "CSQLiteHeap": "SQLiteStore", "CPCap": "PacketCapture",
        "CVirtualTime": "SimulationKernel",
    ]

    static let rooms = levels.flatMap { $0 }.filter {
        !$0.hasPrefix("C") || $0.hasPrefix("Cap") || $0.hasPrefix("Cl")
    }

    @Test func `every room has a level`() throws {
        let known = Set(Self.levels.flatMap { $0 })
        for room in try SourceTree.folders(in: "Sources") {
            #expect(known.contains(room), "Sources/\(room) has no level in WallTests.levels")
        }
    }

    @Test(arguments: rooms)
    func `a room imports only what lies below it`(room: String) throws {
        let level = try #require(Self.levels.firstIndex { $0.contains(room) })
        let ours = Set(Self.levels.flatMap { $0 })
        for file in try SourceTree.swiftFiles(in: "Sources/\(room)") {
            for (number, text) in try SourceTree.lines(of: file) {
                guard let module = Self.importedModule(in: text) else { continue }
                let place = "\(SourceTree.name(of: file)):\(number)"
                if ours.contains(module) {
                    let other = try #require(Self.levels.firstIndex { $0.contains(module) })
                    #expect(other < level, "\(place): '\(room)' may not import '\(module)'")
                }
                if let only = Self.onlyImporter[module] {
                    #expect(only == room, "\(place): only '\(only)' imports '\(module)'")
                }
                for wall in Self.walls where wall.room == room {
                    #expect(
                        !wall.banned.contains(module),
                        "\(place): '\(room)' may not import '\(module)': \(wall.why)"
                    )
                }
            }
        }
    }

    /// The module that a line imports, if it does.
    static func importedModule(in line: String) -> String? {
        var words = line.split(separator: " ").map(String.init)
        while let first = words.first,
            first.hasPrefix("@") || ["public", "package", "internal", "private"].contains(first)
        {
            words.removeFirst()
        }
        guard words.first == "import", words.count >= 2 else { return nil }
        let kinds = ["struct", "class", "enum", "func", "var", "let", "protocol", "typealias"]
        let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
        return name.split(separator: ".").first.map(String.init)
    }
}
