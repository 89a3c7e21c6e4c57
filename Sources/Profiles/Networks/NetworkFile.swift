import NetworkModel

/// Reads a network by itself: a preset's name, a network file, or the network of a profile.
package enum NetworkFile {
    /// The network and what it was called; throws all errors of all its files together.
    package static func read(
        _ nameOrPath: String,
        in library: ProfileLibrary = .standard()
    ) throws(ProfileError) -> NetworkConfiguration {
        let diagnostics = ProfileDiagnostics()
        let resolver = PresetResolver(library: library, diagnostics: diagnostics)
        let path: String
        if let preset = library.pathOfPreset(.networks, named: nameOrPath) {
            path = preset
        } else {
            path = try profile(nameOrPath, in: library)
        }
        var configuration: NetworkConfiguration?
        if let root = resolver.read(path)?.root {
            let value = root["network"] ?? root
            let object = value["alias"]?.string.map { JSONCValue(.string($0), at: value.location) }
            configuration = NetworkDecoder(resolver: resolver).decode(object ?? value)
        }
        try diagnostics.throwIfErrors()
        guard var configuration else { preconditionFailure("\(path): no network and no error") }
        if configuration.name.isEmpty { configuration.name = library.name(ofProfileAt: path) }
        return configuration
    }

    /// Checks a text as if it were a file of `profiles/networks`.
    package static func check(
        text: String,
        path: String,
        in library: ProfileLibrary = .standard()
    ) throws(ProfileError) -> NetworkConfiguration {
        let diagnostics = ProfileDiagnostics()
        let resolver = PresetResolver(library: library, diagnostics: diagnostics)
        let document = try JSONCDocument.parse(text: text, path: path)
        let configuration = NetworkDecoder(resolver: resolver).decode(document.root)
        try diagnostics.throwIfErrors()
        guard let configuration else { preconditionFailure("\(path): no network and no error") }
        return configuration
    }

    private static func profile(
        _ nameOrPath: String,
        in library: ProfileLibrary
    ) throws(ProfileError) -> String {
        do {
            return try library.pathOfProfile(nameOrPath)
        } catch {
            let near = NearestName.of(nameOrPath, among: library.presetNames(.networks))
            let isPath = nameOrPath.contains("/") || nameOrPath.hasSuffix(".jsonc")
            throw ProfileError(
                problems: [
                    ProfileProblem(
                        at: SourceLocation(path: nameOrPath),
                        isPath ? "there is no such file" : "there is no network of this name",
                        remedy: near.map { "did you mean \"\($0)\"?" }
                            ?? "see: onebar list networks"
                    )
                ],
                kind: .missing
            )
        }
    }
}
