import Trace

extension ProfileSchema {
    /// The keys of faults of what is stored on the phone.
    static func storageKeys(of kind: FaultKind) -> [SchemaNode.Key] {
        let duration = SchemaNode.reference("duration")
        let relaunch = SchemaNode.Key("relaunch", duration)
        let span = SchemaNode.Key("for", duration, required: true)
        switch kind {
        case .processDead10cc:
            return [
                .init(
                    "relaunch",
                    duration.described(
                        "The app is suspended; if it holds a file lock, iOS kills it (0xdead10cc) "
                            + "and it is opened again so much later."
                    )
                )
            ]
        case .diskLocked:
            return [
                .init(
                    "folder",
                    SchemaNode.string.described(
                        "Which of the app's folders is protected; all of them unless said."
                    )
                ),
                .init(
                    "file",
                    SchemaNode.string.described(
                        "Which one of the app's files is protected, by its path: \"queue/000001\"."
                    )
                ), span,
            ]
        case .cachePurged:
            return [
                .init(
                    "folder",
                    SchemaNode.string.described("What the system empties; \"images\" unless said.")
                )
            ]
        case .backupRestored:
            return [
                .init(
                    "taken",
                    duration.described(
                        "When the backup was made, from the start of the run. What was promised "
                            + "after it is gone with the old phone."
                    ),
                    required: true
                ), relaunch,
            ]
        case .databaseBusy:
            return [
                .init(
                    "database",
                    SchemaNode.string.described(
                        "Whose write lock another process of the app holds, such as a share "
                            + "extension: \"outbox.sqlite\"."
                    ),
                    required: true
                ), span,
            ]
        case .processSecond:
            return [
                .init(
                    "for",
                    duration.described(
                        "How long a second process of the app, such as a share extension or a worker, "
                            + "runs the app's modules on the same store; then the system ends it."
                    ),
                    required: true
                )
            ]
        case .sourceRemoved, .sourceChanged, .uploadCancel, .uploadRetry:
            return [ProfileSchema.uploadName]
        default:
            return []
        }
    }
}
