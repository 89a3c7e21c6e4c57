import Foundation

/// Writes the files of one report all at once: into a folder beside, which then takes the place.
///
/// Whatever goes wrong on the way leaves the old report as it was and nothing new behind.
package enum ReportFolder {
    /// Writes `files` (name and text) to `folder`, and leaves other files that are there alone.
    package static func write(
        _ files: [(name: String, text: String)],
        to folder: String
    ) throws(ReportError) {
        let manager = FileManager.default
        let target = URL(fileURLWithPath: folder).standardizedFileURL
        let parent = target.deletingLastPathComponent()
        try checkIsNoFile(target)
        let isParentNew = !manager.fileExists(atPath: parent.path)
        let staging = parent.appendingPathComponent(".\(target.lastPathComponent).partial")
        do {
            try manager.createDirectory(at: parent, withIntermediateDirectories: true)
            try? manager.removeItem(at: staging)
            try manager.createDirectory(at: staging, withIntermediateDirectories: false)
            for file in files {
                try Data(file.text.utf8).write(to: staging.appendingPathComponent(file.name))
            }
            try place(files.map(\.name), from: staging, to: target)
        } catch {
            try? manager.removeItem(at: staging)
            if isParentNew, (try? manager.contentsOfDirectory(atPath: parent.path))?.isEmpty == true
            {
                try? manager.removeItem(at: parent)
            }
            throw ReportError(
                path: target.path,
                problem: "cannot be written: \(Self.reason(error))",
                remedy: "make the folder writable, free space, or choose another with --out"
            )
        }
    }

    private static func checkIsNoFile(_ target: URL) throws(ReportError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder),
            !isFolder.boolValue
        else { return }
        throw ReportError(
            path: target.path,
            problem: "is a file, and the report is a folder",
            remedy: "move it away or choose another folder with --out"
        )
    }

    /// Moves the whole folder if there is none yet, or else file by file over the old ones.
    ///
    /// A file replaces its namesake by rename, which is atomic; all of them have been written by
    /// then, so that only the loss of the disk itself could part them.
    private static func place(_ names: [String], from staging: URL, to target: URL) throws {
        let manager = FileManager.default
        guard manager.fileExists(atPath: target.path) else {
            try manager.moveItem(at: staging, to: target)
            return
        }
        guard manager.isWritableFile(atPath: target.path) else {
            throw CocoaError(.fileWriteNoPermission)
        }
        for name in names {
            var isFolder: ObjCBool = false
            let path = target.appendingPathComponent(name).path
            if manager.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
                throw POSIXError(.EISDIR)
            }
        }
        for name in names {
            let source = staging.appendingPathComponent(name).path
            guard rename(source, target.appendingPathComponent(name).path) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
        try manager.removeItem(at: staging)
    }

    /// The system's own words, without the path that is printed already.
    private static func reason(_ error: any Error) -> String {
        if let posix = error as? POSIXError {
            return String(cString: strerror(posix.code.rawValue))
        }
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        if let underlying, underlying.domain == NSPOSIXErrorDomain {
            return String(cString: strerror(Int32(underlying.code)))
        }
        switch (error as? CocoaError)?.code {
        case .fileWriteNoPermission: return "Permission denied"
        case .fileWriteOutOfSpace: return "No space left on device"
        case .fileNoSuchFile: return "No such file or directory"
        default: return error.localizedDescription
        }
    }
}
