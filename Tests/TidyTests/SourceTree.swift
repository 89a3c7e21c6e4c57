import Foundation

/// The project's own files, found from this file's place.
enum SourceTree {
    /// The folder that holds `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Swift files below `folder`, sorted by path.
    static func swiftFiles(in folder: String) throws -> [URL] {
        try files(in: folder).filter { $0.pathExtension == "swift" }
    }

    /// Files below `folder`, sorted by path.
    static func files(in folder: String) throws -> [URL] {
        let base = root.appendingPathComponent(folder)
        guard let walker = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil)
        else { return [] }
        return walker.compactMap { $0 as? URL }
            .filter { !$0.hasDirectoryPath }
            .sorted { $0.path < $1.path }
    }

    /// Names of the folders directly below `folder`, sorted.
    static func folders(in folder: String) throws -> [String] {
        try FileManager.default
            .contentsOfDirectory(
                at: root.appendingPathComponent(folder),
                includingPropertiesForKeys: nil
            )
            .filter { $0.hasDirectoryPath }
            .map(\.lastPathComponent)
            .sorted()
    }

    /// Lines of `file`, counted from one.
    static func lines(of file: URL) throws -> [(number: Int, text: String)] {
        try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
            .map { ($0.offset + 1, String($0.element)) }
    }

    /// The path below the root.
    static func name(of file: URL) -> String {
        String(file.path.dropFirst(root.path.count + 1))
    }
}
