import Budgets
import History

/// Archives runs of commands that have `--history`.
enum RunArchive {
    /// The option, as every command shows it.
    static let option = OptionSpec(
        "--history",
        value: "FILE",
        help: "adds the run to this SQLite archive"
    )

    /// Adds `run`, with the verdict of its gate if there is one, to the archive that the option
    /// names; nothing without it.
    static func add(
        _ run: ProfileRun,
        gate: GateVerdict? = nil,
        to path: String?,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard let path else { return }
        let place = CommitName.current(context)
        do {
            let archive = try HistoryArchive(path: path)
            try archive.add(
                run,
                gate: gate?.asOfRun,
                under: HistoryContext(
                    commit: place.commit,
                    branch: place.branch,
                    recordedAt: Today.instant(context),
                    toolVersion: FrontDoor.version
                )
            )
        } catch {
            throw failure(error)
        }
    }

    /// What an archive's error is for the command line.
    static func failure(_ error: HistoryError) -> CommandFailure {
        switch error {
        case .foreignFile, .newerFile: CommandFailure("onebar: error: \(error)", code: .badInput)
        case .storage: CommandFailure("onebar: error: \(error)", code: .cannotWrite)
        }
    }
}
