import ClientModules
import SQLiteStore

extension RowInsertion {
    /// Writes the rows; blocks as SQLite does.
    func perform(in environment: ClientEnvironment) throws {
        let connection = try SQLiteConnection(
            path: "\(environment.directory)/\(database)",
            vfs: environment.sqliteVFS,
            configuration: configuration
        )
        defer { connection.close() }
        try connection.executeScript("CREATE TABLE IF NOT EXISTS note (body BLOB NOT NULL)")
        let insert = try connection.statement("INSERT INTO note (body) VALUES (?)")
        let body = [UInt8](repeating: 0x6F, count: rowSize)
        var left = rows
        while left > 0 {
            let batch = min(left, rowsPerTransaction)
            try connection.transaction {
                for _ in 0..<batch { try insert.run(body) }
            }
            left -= batch
        }
    }
}
