import Profiles
import Quantities
import SQLiteStore

/// Rows that the app writes to a database of its own.
package struct RowInsertion: Sendable {
    /// File name within the app's folder.
    package static let database = "notes.sqlite"

    /// Journal mode and syncs.
    package var configuration: SQLiteConfiguration
    /// How many rows.
    package var rows: Int
    /// How many of them share a transaction.
    package var rowsPerTransaction: Int
    /// Bytes in a row.
    package var rowSize: Int
    /// What a row outlives once its commit has returned.
    package var survives: InsertAction.Survival

    /// Reads what a workload's entry asks for.
    package init(_ action: InsertAction) {
        configuration = SQLiteConfiguration(
            journalMode: action.journal == .wal ? .wal : .delete,
            synchronous: action.synchronous.setting,
            usesFullSync: action.usesFullSync
        )
        rows = action.rows
        rowsPerTransaction = action.rowsPerTransaction
        rowSize = Int(action.rowSize.bytes)
        survives = action.survives
    }
}

/// What the app's own database says of its rows.
package enum RowEvent: Sendable {
    /// A commit has returned: so many rows are there, and outlive this.
    case committed(rows: Int, InsertAction.Survival)
    /// So many were there at the start of a process.
    case found(rows: Int)
    /// The database was damaged at the start of a process, in SQLite's words.
    case damaged(String)
}

extension InsertAction.Synchronous {
    /// SQLite's word for it.
    fileprivate var setting: SQLiteConfiguration.Synchronous {
        switch self {
        case .off: .off
        case .normal: .normal
        case .full: .full
        case .extra: .extra
        }
    }
}
