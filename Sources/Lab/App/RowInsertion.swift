import SQLiteStore

/// Rows that the app writes to a database of its own.
package struct RowInsertion: Sendable {
    /// File name within the app's folder.
    package var database: String
    /// Journal mode and syncs.
    package var configuration: SQLiteConfiguration
    /// How many rows.
    package var rows: Int
    /// How many of them share a transaction.
    package var rowsPerTransaction: Int
    /// Bytes in a row.
    package var rowSize: Int

    /// Describes rows to write.
    package init(
        database: String,
        configuration: SQLiteConfiguration,
        rows: Int,
        rowsPerTransaction: Int,
        rowSize: Int
    ) {
        self.database = database
        self.configuration = configuration
        self.rows = rows
        self.rowsPerTransaction = rowsPerTransaction
        self.rowSize = rowSize
    }
}
