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
        return span(entry).map { .lockFiles(folder: folder, for: $0) }
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

    /// A folder of the app, by its path below the app's own.
    func folder(_ entry: ObjectReader) -> String? {
        guard let folder = entry.string("folder") else { return nil }
        guard !folder.isEmpty, !folder.hasPrefix("/"), !folder.hasSuffix("/") else {
            entry.fail(
                "folder",
                "\"\(folder)\" is no folder below the app's own",
                remedy: "write \"images\""
            )
            return nil
        }
        return folder
    }
}
