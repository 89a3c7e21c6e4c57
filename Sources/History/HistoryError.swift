import SQLiteStore

/// Why a history file cannot be used.
package enum HistoryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It is a database of something else.
    case foreignFile(path: String)
    /// It was written by a later version.
    case newerFile(path: String, version: Int, known: Int)
    /// SQLite failed.
    case storage(path: String, SQLiteError)

    /// One sentence with place, value and remedy.
    package var description: String {
        switch self {
        case .foreignFile(let path):
            "\(path) is no history of Onebar (name another file)"
        case .newerFile(let path, let version, let known):
            "\(path) has version \(version) and this Onebar knows \(known) "
                + "(use the Onebar that wrote it, or name another file)"
        case .storage(let path, let error):
            error.isBusy
                ? "\(path) is being written by others for too long (try again)"
                : "\(path) cannot be used: \(error) (name another file with --history)"
        }
    }
}
