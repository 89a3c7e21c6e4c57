import Foundation

/// Finds profiles and presets by name in the folders where they may lie.
///
/// A name is looked up in this order: the folders of `ONEBAR_PROFILES`, `profiles` in the working
/// directory, `profiles` beside the executable, and the source tree that this was built from. A file
/// of one's own thus shadows a shipped one. A path is taken as it is.
package struct ProfileLibrary: Sendable {
    /// The folders that are searched, in order.
    package let folders: [String]
    /// Paths within it are shown relative to it.
    package let workingDirectory: String

    /// Makes a library of the folders given.
    package init(folders: [String], workingDirectory: String) {
        self.folders = folders
        self.workingDirectory = workingDirectory
    }

    /// The library of this process, or of another environment and working directory.
    package static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        workingDirectory here: String = FileManager.default.currentDirectoryPath
    ) -> ProfileLibrary {
        let named = environment["ONEBAR_PROFILES"] ?? ""
        var folders = named.split(separator: ":").map(String.init)
        folders.append(here + "/profiles")
        if let executable = Bundle.main.executablePath {
            folders.append((executable as NSString).deletingLastPathComponent + "/profiles")
        }
        folders.append(sourceTree + "/profiles")
        var unique: [String] = []
        for folder in folders {
            let standard = (folder as NSString).standardizingPath
            if !unique.contains(standard) { unique.append(standard) }
        }
        return ProfileLibrary(folders: unique, workingDirectory: here)
    }

    /// The root of the source tree that this was built from: three folders above this file's.
    package static var sourceTree: String {
        var path = #filePath as NSString
        for _ in 0..<4 { path = path.deletingLastPathComponent as NSString }
        return path as String
    }

    /// This library with one more folder to be searched first.
    package func searching(_ folder: String) -> ProfileLibrary {
        ProfileLibrary(
            folders: [folder] + folders.filter { $0 != folder },
            workingDirectory: workingDirectory
        )
    }

    // MARK: profiles

    /// The file of a profile that is named (`commute`, `textbook/F1`) or given as a path.
    package func pathOfProfile(_ nameOrPath: String) throws(ProfileError) -> String {
        if isFile(absolute(nameOrPath)), nameOrPath.hasSuffix(".jsonc") || nameOrPath.contains("/")
        {
            return absolute(nameOrPath)
        }
        for folder in folders {
            for candidate in ["\(folder)/\(nameOrPath).jsonc", "\(folder)/\(nameOrPath)"]
            where candidate.hasSuffix(".jsonc") && isFile(candidate) {
                return candidate
            }
        }
        throw missing(nameOrPath)
    }

    /// The names of all profiles: files directly in a folder or in `textbook`, sorted, each once.
    package func profileNames() -> [String] {
        var names: Set<String> = []
        for folder in folders {
            names.formUnion(Self.stems(in: folder))
            names.formUnion(Self.stems(in: folder + "/textbook").map { "textbook/" + $0 })
        }
        return names.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    }

    /// The names of all profiles and the tags of each; a file that does not parse has none.
    package func profileTags() -> [(name: String, tags: [String])] {
        profileNames().map { name in
            let root = (try? document(at: pathOfProfile(name)))?.root["tags"]
            return (name, (root?.elements ?? root.map { [$0] } ?? []).compactMap(\.string))
        }
    }

    // MARK: presets

    /// The file of a preset; nil if no folder has it.
    package func pathOfPreset(_ kind: PresetKind, named name: String) -> String? {
        guard !name.isEmpty, !name.contains("..") else { return nil }
        for folder in folders {
            let path = "\(folder)/\(kind.rawValue)/\(name).jsonc"
            if isFile(path) { return path }
        }
        return nil
    }

    /// The names of all presets of a kind, sorted, each once.
    package func presetNames(_ kind: PresetKind) -> [String] {
        var names: Set<String> = []
        for folder in folders { names.formUnion(Self.stems(in: "\(folder)/\(kind.rawValue)")) }
        return names.sorted()
    }

    /// The file of a recorded rate: beside the file that names it, or in a folder of networks.
    func pathOfTrace(_ name: String, namedIn file: String) -> String? {
        guard !name.isEmpty else { return nil }
        let beside = (absolute(file) as NSString).deletingLastPathComponent
        let places = [beside] + folders.map { "\($0)/\(PresetKind.networks.rawValue)" }
        return (name.hasPrefix("/") ? [name] : places.map { "\($0)/\(name)" }).first(where: isFile)
    }

    // MARK: files

    /// Reads and parses a file; its path in messages is relative to the working directory if within.
    package func document(at path: String) throws(ProfileError) -> JSONCDocument {
        let (bytes, shown) = try bytes(at: path)
        return try JSONCDocument.parse(bytes: bytes, path: shown)
    }

    /// Reads a file whole, and tells how messages show its path.
    package func bytes(
        at path: String
    ) throws(ProfileError) -> (bytes: [UInt8], shown: String) {
        let shown = shownPath(path)
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue, let data = FileManager.default.contents(atPath: path) else {
            let location = SourceLocation(path: shown)
            throw ProfileError(
                problems: [
                    ProfileProblem(
                        at: location,
                        isFolder.boolValue ? "this is a folder" : "the file cannot be read",
                        remedy: isFolder.boolValue
                            ? "name a file in it" : "check its path and rights"
                    )
                ],
                kind: .missing
            )
        }
        return (Array(data), shown)
    }

    /// A path as messages show it.
    package func shownPath(_ path: String) -> String {
        let prefix = workingDirectory + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    /// The name of a profile at a path: relative to its library folder, without extension.
    package func name(ofProfileAt path: String) -> String {
        let stem = (path as NSString).deletingPathExtension
        for folder in folders where stem.hasPrefix(folder + "/") {
            return String(stem.dropFirst(folder.count + 1))
        }
        return (stem as NSString).lastPathComponent
    }

    private func absolute(_ path: String) -> String {
        let full = path.hasPrefix("/") ? path : workingDirectory + "/" + path
        return (full as NSString).standardizingPath
    }

    private func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    private static func stems(in folder: String) -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.filter { $0.hasSuffix(".jsonc") }.map { String($0.dropLast(6)) }
    }

    private func missing(_ nameOrPath: String) -> ProfileError {
        let looksLikePath = nameOrPath.hasSuffix(".jsonc") || nameOrPath.hasPrefix("/")
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(
            atPath: absolute(nameOrPath),
            isDirectory: &isFolder
        )
        let near = looksLikePath ? nil : NearestName.of(nameOrPath, among: profileNames())
        let what: String
        let remedy: String
        if isThere {
            what = isFolder.boolValue ? "this is a folder" : "this is no profile by its name"
            remedy =
                isFolder.boolValue
                ? "name a file in it, or a profile of 'onebar list'"
                : "a profile's name ends in .jsonc"
        } else if looksLikePath {
            what = "there is no such file"
            remedy = "check the path; it is taken from \(workingDirectory)"
        } else {
            what = "there is no profile of this name"
            remedy =
                near.map { "did you mean \"\($0)\"?" }
                ?? "searched: \(folders.map(shownPath).joined(separator: ", "))"
        }
        return ProfileError(
            problems: [
                ProfileProblem(at: SourceLocation(path: nameOrPath), what, remedy: remedy)
            ],
            kind: .missing
        )
    }
}
