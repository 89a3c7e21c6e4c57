import Foundation
import Profiles
import Testing

/// The schemas that editors complete and check from say what the readers say.
@Suite struct ProfileSchemaTests {
    private let library = ShippedProfileTests.library

    @Test(arguments: ProfileSchema.allCases)
    func `the committed schema is the generated one`(schema: ProfileSchema) throws {
        let path = "\(ProfileLibrary.sourceTree)/profiles/schema/\(schema.rawValue).json"
        let data = try #require(
            FileManager.default.contents(atPath: path),
            "write it: onebar schema \(schema.rawValue) > \(path)"
        )
        #expect(
            String(decoding: data, as: UTF8.self) == schema.text,
            "write it again: onebar schema \(schema.rawValue) > \(path)"
        )
    }

    @Test func `every shipped profile fits the schema`() throws {
        let validator = try SchemaValidator(ProfileSchema.profile.text)
        for name in library.profileNames() {
            let document = try library.document(at: library.pathOfProfile(name))
            #expect(validator.problems(document.root).isEmpty, "\(name)")
        }
    }

    @Test(arguments: [
        (PresetKind.devices, ProfileSchema.device), (.networks, .network), (.radios, .radio),
        (.servers, .server), (.os, .os), (.budgets, .budgets),
    ])
    func `every shipped preset fits its schema`(kind: PresetKind, schema: ProfileSchema) throws {
        let validator = try SchemaValidator(schema.text)
        for name in library.presetNames(kind) {
            let path = try #require(library.pathOfPreset(kind, named: name))
            let document = try library.document(at: path)
            #expect(validator.problems(document.root).isEmpty, "\(name)")
            // Editors find the schema by this key.
            #expect(document.root["$schema"]?.string == "../schema/\(schema.rawValue).json")
        }
    }

    /// A profile with one thing changed in it.
    private func profile(_ changes: String) throws -> JSONCValue {
        let base = try JSONCDocument.parse(
            text: """
                { "onebar": 1, "device": "phone", "radio": "lte",
                  "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" },
                  "workload": [{ "do": "message.send", "at": "1s" }] }
                """,
            path: "p.jsonc"
        )
        return base.root.overlaid(by: try JSONCDocument.parse(text: changes, path: "c").root)
    }

    @Test(arguments: [
        #"{ "onebar": 2 }"#, #"{ "devise": "phone" }"#, #"{ "workload": [] }"#,
        #"{ "workload": [{ "do": "mesage.send", "at": "1s" }] }"#,
        #"{ "workload": [{ "do": "message.send", "at": "2m" }] }"#,
        #"{ "workload": [{ "do": "message.send", "at": "-2s" }] }"#,
        #"{ "workload": [{ "do": "photo.upload", "at": "1s", "size": "15mbps" }] }"#,
        #"{ "workload": [{ "do": "like.toggle", "at": "1s", "size": "1kB" }] }"#,
        #"{ "network": { "loss": "7/0" } }"#, #"{ "network": { "delay": "1ms" } }"#,
        #"{ "network": { "down": "8MB" } }"#,
        #"{ "faults": [{ "fault": "process.kil", "at": "1s" }] }"#,
        #"{ "faults": [{ "fault": "process.kill", "during": "app.launched" }] }"#,
        #"{ "faults": [{ "fault": "network.down", "at": "1s" }] }"#,
        #"{ "run": { "seeds": "1-20" } }"#, #"{ "app": { "outbox": { "paralel": 2 } } }"#,
        #"{ "budgets": { "radio.enrgy_j": "p95 <= 1J" } }"#,
        #"{ "budgets": { "radio.energy_j": "p96 <= 1J" } }"#,
        #"{ "budgets": { "outbox.lost": "max <= 1" } }"#,
    ])
    func `the schema refuses what the reader refuses`(changes: String) throws {
        let validator = try SchemaValidator(ProfileSchema.profile.text)
        #expect(validator.problems(try profile("{}")).isEmpty)
        #expect(!validator.problems(try profile(changes)).isEmpty)
    }

    @Test func `a metric of one's own may have a budget`() throws {
        let validator = try SchemaValidator(ProfileSchema.profile.text)
        let own = try profile(#"{ "budgets": { "search.keystroke_ms": "p95 <= 90ms" } }"#)
        #expect(validator.problems(own).isEmpty)
    }

    /// Keys that the reader asks for in a place, from its answer to a key that no key resembles.
    private func keys(readBy text: String, in what: String) throws -> Set<String> {
        let fixture = try ProfileFixture(text)
        let marker = "unknown key \"qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq\" in \(what) (one of: "
        let message = try #require(
            fixture.messages().first { $0.contains(marker) },
            "\(fixture.messages())"
        )
        let list = message.components(separatedBy: marker)[1].dropLast()
        return Set(list.components(separatedBy: ", "))
    }

    private static let stranger = "\"qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq\": 1"

    /// Keys of the alternative of an array's items whose `key` is the constant `name`.
    private func keys(ofItems list: String, where key: String, is name: String) throws -> Set<
        String
    > {
        let schema = try JSONCDocument.parse(text: ProfileSchema.profile.text, path: "s").root
        let alternatives = schema["properties"]?[list]?["items"]?["oneOf"]?.elements ?? []
        let match = alternatives.first { $0["properties"]?[key]?["const"]?.string == name }
        return Set(try #require(match)["properties"]?.members?.map(\.key) ?? [])
    }

    @Test(arguments: WorkloadVerb.allCases)
    func `a verb has the same keys in reader and schema`(verb: WorkloadVerb) throws {
        let read = try keys(
            readBy: ProfileFixture.profile(
                "\"workload\": [{ \"do\": \"\(verb.rawValue)\", \(Self.stranger) }]"
            ),
            in: "action"
        )
        #expect(try keys(ofItems: "workload", where: "do", is: verb.rawValue) == read)
    }

    @Test(arguments: FaultKind.allCases.filter { FaultKind.supported.contains($0) })
    func `a fault has the same keys in reader and schema`(kind: FaultKind) throws {
        // A placement is read only where it is present, so it is tried by each in turn.
        var read: Set<String> = []
        for placement in kind.placements {
            let value =
                switch placement {
                case .after: "\"app.launched\""
                case .during: "\"outbox.commit\""
                case .to: "\"GET /feed\""
                case .at, .randomly: "\"1s\""
                case .inside: "\"write\""
                }
            read.formUnion(
                try keys(
                    readBy: ProfileFixture.profile(
                        ProfileFixture.workload + """
                            , "faults": [{ "fault": "\(kind.rawValue)",
                              "\(placement.rawValue)": \(value), \(Self.stranger) }]
                            """
                    ),
                    in: "fault"
                )
            )
        }
        #expect(try keys(ofItems: "faults", where: "fault", is: kind.rawValue) == read)
    }

    @Test func `a profile, a network, a device and a server have the same keys in both`() throws {
        let schema = try JSONCDocument.parse(text: ProfileSchema.profile.text, path: "s").root
        func keys(_ node: JSONCValue?) -> Set<String> {
            Set(node?["properties"]?.members?.map(\.key) ?? [])
        }
        let whole = ProfileFixture.workload + ", " + Self.stranger
        #expect(
            try self.keys(readBy: ProfileFixture.profile(whole), in: "profile") == keys(schema)
        )
        func part(_ name: String, _ body: String) -> String {
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
              "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "50ms" },
              "\(name)": \(body), \(ProfileFixture.workload) }
            """.replacingOccurrences(
                of: name == "network"
                    ? "  \"network\": { \"down\": \"8Mbps\", \"up\": \"2Mbps\", "
                        + "\"rtt\": \"50ms\" },\n" : "no such text",
                with: ""
            ).replacingOccurrences(
                of: name == "device" ? "\"device\": \"phone\", " : "no such text",
                with: ""
            )
        }
        let network = try self.keys(
            readBy: part("network", "{ \(Self.stranger) }"),
            in: "network"
        )
        #expect(network.union(["preset"]) == keys(schema["$defs"]?["inPlace"]))
        let device = try self.keys(readBy: part("device", "{ \(Self.stranger) }"), in: "device")
        let deviceNode = schema["properties"]?["device"]?["anyOf"]?.elements?.last
        #expect(device.union(["model"]) == keys(deviceNode))
        let server = try self.keys(readBy: part("server", "{ \(Self.stranger) }"), in: "server")
        let serverNode = schema["properties"]?["server"]?["anyOf"]?.elements?.last
        #expect(server.union(["preset"]) == keys(serverNode))
    }
}
