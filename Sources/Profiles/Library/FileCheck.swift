import Foundation

/// Checks a file as `onebar check` does: a profile with all it names, or a preset by its folder.
package enum FileCheck {
    /// What was found in one file and the files it names.
    package struct Result: Sendable {
        /// Errors and warnings, from the top of each file to its bottom.
        package let problems: [ProfileProblem]
        /// Whether the file could not be found at all: exit code 66.
        package let isMissing: Bool

        /// Whether the file can be used.
        package var isGood: Bool { !problems.contains { $0.severity == .error } }
    }

    /// Checks a profile by name or path, or a preset by path.
    package static func check(
        _ nameOrPath: String,
        in library: ProfileLibrary = .standard()
    ) -> Result {
        do throws(ProfileError) {
            let path = try library.pathOfProfile(nameOrPath)
            guard let kind = kind(of: path) else {
                let scenario = try ScenarioReader.scenario(nameOrPath, in: library)
                return Result(problems: scenario.warnings, isMissing: false)
            }
            return preset(path, kind: kind, in: library)
        } catch {
            return Result(problems: error.problems, isMissing: error.kind == .missing)
        }
    }

    /// The kind of preset that a file is, by the name of its folder; nil for a profile.
    package static func kind(of path: String) -> PresetKind? {
        let folder = (path as NSString).deletingLastPathComponent
        return PresetKind(rawValue: (folder as NSString).lastPathComponent)
    }

    private static func preset(
        _ path: String,
        kind: PresetKind,
        in library: ProfileLibrary
    ) -> Result {
        let diagnostics = ProfileDiagnostics()
        let resolver = PresetResolver(library: library, diagnostics: diagnostics)
        if let root = resolver.read(path)?.root {
            if root["source"] == nil, kind != .radios, kind != .budgets {
                diagnostics.warn(
                    at: root.location,
                    "the preset does not say where its figures come from",
                    remedy: "add \"source\": …"
                )
            }
            switch kind {
            case .devices: _ = DeviceDecoder(resolver: resolver).decode(root)
            case .networks: _ = NetworkDecoder(resolver: resolver).decode(root)
            case .servers: _ = ServerDecoder(resolver: resolver).decode(root)
            case .radios:
                if root["alias"] == nil {
                    _ = RadioFile.decode(root, name: "", diagnostics: diagnostics)
                }
            case .os: SystemDecoder(resolver: resolver).check(root)
            case .clients: AppDecoder(resolver: resolver).check(root)
            case .budgets:
                let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
                if root["alias"] == nil {
                    _ = BudgetDecoder(resolver: resolver).pack(stem, root)
                }
            }
        }
        return Result(problems: diagnostics.errors + diagnostics.warnings, isMissing: false)
    }
}
