import Foundation
import NetworkModel
import Quantities

/// Reads a profile and everything it names into a checked `Scenario`.
package struct ScenarioReader {
    /// The version of the profile format: what `"onebar"` says in a file.
    package static let formatVersion = 1
    /// A profile extends another this deep at most; deeper is a circle.
    static let deepestExtension = 8

    private let library: ProfileLibrary
    private let diagnostics = ProfileDiagnostics()
    private let resolver: PresetResolver

    private init(library: ProfileLibrary) {
        self.library = library
        resolver = PresetResolver(library: library, diagnostics: diagnostics)
    }

    /// Reads the profile of this name or path; throws all errors of all its files together.
    ///
    /// `overrides` are put over the profile before it is checked, and enter its closure.
    package static func scenario(
        _ nameOrPath: String,
        in library: ProfileLibrary = .standard(),
        overrides: [ProfileOverride] = []
    ) throws(ProfileError) -> Scenario {
        let path = try library.pathOfProfile(nameOrPath)
        let folder = (path as NSString).deletingLastPathComponent
        let reader = ScenarioReader(library: library.searching(folder))
        return try reader.read(path, name: library.name(ofProfileAt: path), overrides)
    }

    private func read(
        _ path: String,
        name: String,
        _ overrides: [ProfileOverride]
    ) throws(ProfileError) -> Scenario {
        let document = try library.document(at: path)
        var root = extended(document, depth: 0)
        for change in overrides { root = try change.applied(to: root) }
        let reader = ObjectReader(root, as: "profile", diagnostics: diagnostics)
        for key in ["$schema", "extends"] { _ = reader.value(key) }
        checkVersion(reader)
        let tags = reader.strings("tags")
        let device = required("device", of: reader).flatMap {
            DeviceDecoder(resolver: resolver).decode($0)
        }
        let network = required("network", of: reader).flatMap {
            NetworkDecoder(resolver: resolver).decode($0)
        }
        let radios = RadioDecoder(resolver: resolver).decode(reader)
        let server = ServerDecoder(resolver: resolver).decode(reader.value("server"))
        let inMemory = BackgroundMemoryDecoder(diagnostics: diagnostics)
            .decode(reader.value("in_memory"))
        let system = SystemDecoder(resolver: resolver).decode(reader.value("os"))
        let app = AppDecoder(resolver: resolver).decode(reader.value("app"))
        let others = OtherTrafficDecoder(diagnostics: diagnostics).decode(reader)
        let fleet = FleetDecoder(diagnostics: diagnostics).decode(reader)
        let workload =
            fleet == nil || (fleet?.isOfPhones == true && reader.has("workload"))
            ? WorkloadDecoder(diagnostics: diagnostics).decode(reader, others: others) : []
        let faults = FaultDecoder(diagnostics: diagnostics).decode(reader)
        let budgets = BudgetDecoder(resolver: resolver).decode(reader.value("budgets"))
        let run = RunDecoder(diagnostics: diagnostics).decode(reader.value("run"))
        reader.finish()
        try diagnostics.throwIfErrors()
        guard let network, let device, let radios, let server else {
            preconditionFailure("\(path): a part is missing without an error")
        }
        let conditions = ConditionsPart(
            device: device,
            radios: radios,
            network: network,
            server: server,
            inMemory: inMemory,
            system: system,
            faults: faults.filter { !$0.namesModule },
            otherApps: others
        )
        let part = ScenarioPart(
            app: app,
            workload: workload,
            faults: faults.filter(\.namesModule),
            budgets: budgets,
            fleet: fleet
        )
        var closure = ProfileClosure()
        closure.add(path: document.path, text: document.text)
        for file in resolver.closure.files { closure.add(path: file.path, text: file.text) }
        for change in overrides { closure.add(path: "--set \(change.key)", text: change.text) }
        var scenario = Scenario(
            name: name,
            path: document.path,
            summary: document.leadingComment,
            tags: tags,
            conditions: conditions,
            scenario: part,
            run: run,
            closure: closure,
            warnings: []
        )
        ScenarioCheck(diagnostics: diagnostics).check(scenario, places: reader)
        try diagnostics.throwIfErrors()
        scenario.warnings = diagnostics.warnings
        return scenario
    }

    /// The object of a file, put over the one that it extends.
    private func extended(_ document: JSONCDocument, depth: Int) -> JSONCValue {
        guard let naming = document.root["extends"] else { return document.root }
        guard let name = naming.string else {
            diagnostics.error(
                at: naming.location,
                "\"extends\" is \(naming.kindText)",
                remedy: "write the name of a profile"
            )
            return document.root
        }
        guard depth < Self.deepestExtension else {
            diagnostics.error(
                at: naming.location,
                "profiles extend each other in a circle",
                remedy: "end the chain of \"extends\""
            )
            return document.root
        }
        let path: String
        do throws(ProfileError) {
            path = try library.pathOfProfile(name)
        } catch {
            for problem in error.problems {
                diagnostics.error(
                    at: naming.location,
                    "\"\(name)\": \(problem.what)",
                    remedy: problem.remedy
                )
            }
            return document.root
        }
        guard let base = resolver.read(path) else { return document.root }
        let parent = extended(base, depth: depth + 1)
        return BudgetDecoder.joining(
            parent["budgets"],
            to: parent.overlaid(by: document.root),
            of: document.root
        )
    }

    private func checkVersion(_ reader: ObjectReader) {
        guard let value = reader.requiredValue("onebar", example: "\(Self.formatVersion)") else {
            return
        }
        guard let version = reader.integer(from: value, key: "onebar", in: 0...Int.max),
            version != Self.formatVersion
        else { return }
        diagnostics.error(
            at: value.location,
            "the profile is of format \(version)",
            remedy: "this onebar reads format \(Self.formatVersion)"
        )
    }

    private func required(_ key: String, of reader: ObjectReader) -> JSONCValue? {
        let examples = ["network": "\"wpt-4g\"", "device": "\"android-mid\""]
        return reader.requiredValue(key, example: examples[key] ?? "…")
    }
}
