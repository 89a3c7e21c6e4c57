import ClientModules
import SQLiteStore

extension RowInsertion {
    /// Writes the rows, blocking as SQLite does; returns how long the writing took.
    ///
    /// Opening the database and making the table are not counted.
    func perform(in environment: ClientEnvironment) throws -> Duration {
        let connection = try SQLiteConnection(
            path: "\(environment.directory)/\(database)",
            vfs: environment.sqliteVFS,
            configuration: configuration
        )
        defer { connection.close() }
        try connection.executeScript("CREATE TABLE IF NOT EXISTS note (body BLOB NOT NULL)")
        let insert = try connection.statement("INSERT INTO note (body) VALUES (?)")
        let body = [UInt8](repeating: 0x6F, count: rowSize)
        let began = environment.clock.now
        var left = rows
        while left > 0 {
            let batch = min(left, rowsPerTransaction)
            try connection.transaction {
                for _ in 0..<batch { try insert.run(body) }
            }
            left -= batch
        }
        return environment.clock.now - began
    }
}
