import Quantities

/// Faults of what is stored on the phone, and of who may reach it.
extension FaultDecoder {
    func requestLoss(_ entry: ObjectReader) -> FaultEffect? {
        let aftermath: LossAftermath = entry.choice("then") ?? .reset
        guard LossAftermath.ofRequests.contains(aftermath) else {
            let names = LossAftermath.ofRequests.map(\.rawValue).joined(separator: ", ")
            entry.fail(
                "then",
                "\"\(aftermath.rawValue)\" is something that a server does to its answer",
                remedy: "write one of: \(names); or lose the response"
            )
            return nil
        }
        return .loseRequest(
            afterBytes: entry.integer("after_bytes", in: 0...1_000_000_000) ?? 0,
            aftermath
        )
    }

    func lockedFiles(_ entry: ObjectReader) -> FaultEffect? {
        let folder = folder(entry)
        let file = self.folder(entry, key: "file")
        if entry.has("folder"), entry.has("file") {
            entry.fail("file", "a fault has both \"folder\" and \"file\"", remedy: "keep one")
        }
        let files = file.map { LockedFiles.file($0) } ?? folder.map { .folder($0) } ?? .all
        return span(entry).map { .lockFiles(files, for: $0) }
    }

    func restoredBackup(_ entry: ObjectReader) -> FaultEffect? {
        let relaunch: Duration? = entry.quantity("relaunch")
        let taken: Duration? = entry.requiredQuantity("taken", example: "10s")
        return taken.map { .restoreBackup(taken: $0, relaunch: relaunch) }
    }

    func busyDatabase(_ entry: ObjectReader) -> FaultEffect? {
        let name = entry.requiredString("database", example: "outbox.sqlite")
        return span(entry).flatMap { span in name.map { .holdDatabase(name: $0, for: span) } }
    }

    /// The upload whose file it is, as the workload counts them.
    func source(_ entry: ObjectReader) -> String? {
        guard let name = entry.requiredString("of", example: "file-1") else { return nil }
        let parts = name.split(separator: "-", maxSplits: 1).map(String.init)
        guard parts.count == 2, UploadKind(rawValue: parts[0]) != nil, Int(parts[1]) ?? 0 > 0 else {
            entry.fail(
                "of",
                "\"\(name)\" is no upload",
                remedy: "count by kind: \"file-1\" is the first file.upload"
            )
            return nil
        }
        return name
    }

    /// A folder or file of the app, by its path below the app's own folder.
    func folder(_ entry: ObjectReader, key: String = "folder") -> String? {
        guard let folder = entry.string(key) else { return nil }
        guard !folder.isEmpty, !folder.hasPrefix("/"), !folder.hasSuffix("/") else {
            entry.fail(
                key,
                "\"\(folder)\" is no \(key) below the app's own",
                remedy: key == "file" ? "write \"queue/000001\"" : "write \"images\""
            )
            return nil
        }
        return folder
    }
}
