import ClientModules
import SQLiteStore

/// A database of the app's own with a table of rows, as the workload's `sqlite.insert` asks for.
///
/// Opened at its first use, and open for as long as the process lives.
actor RowStore {
    private let environment: ClientEnvironment
    private let observer: @Sendable (RowEvent) -> Void
    private var opened: (connection: SQLiteConnection, configuration: SQLiteConfiguration)?

    private static let insertion = "INSERT INTO note (body) VALUES (?)"
    private static let query = "SELECT max(rowid) FROM note"

    init(environment: ClientEnvironment, observer: @escaping @Sendable (RowEvent) -> Void) {
        self.environment = environment
        self.observer = observer
    }

    /// Tells how many rows an earlier process left; waits while the storage refuses to be read.
    ///
    /// A damaged database is told, and not asked again. Returns at a cancellation, having told nothing.
    func tellWhatIsThere(_ configuration: SQLiteConfiguration) async {
        while !Task.isCancelled {
            do {
                return observer(.found(rows: try count(configuration)))
            } catch let error as SQLiteError
                where [.corrupt, .notADatabase].contains(error.code.primary)
            {
                return observer(.damaged("\(error)"))
            } catch {
                // A locked device, a full disk, a lock of another process: it passes.
                try? await environment.clock.sleep(for: .seconds(1))
            }
        }
    }

    private func count(_ configuration: SQLiteConfiguration) throws -> Int {
        let path = "\(environment.directory)/\(RowInsertion.database)"
        guard try environment.files.exists(path) else { return 0 }
        let connection = try connection(configuration)
        guard try connection.knows(Self.query) else { return 0 }
        return try connection.statement(Self.query).first { Int($0.integer(at: 0)) } ?? 0
    }

    /// Writes the rows, blocking as SQLite does; returns how long the writing took.
    ///
    /// Opening the database and making the table are not counted.
    func insert(_ insertion: RowInsertion) throws -> Duration {
        let connection = try connection(insertion.configuration)
        if try !connection.knows(Self.insertion) {
            try connection.executeScript("CREATE TABLE IF NOT EXISTS note (body BLOB NOT NULL)")
        }
        let insert = try connection.statement(Self.insertion)
        let body = [UInt8](repeating: 0x6F, count: insertion.rowSize)
        let began = environment.clock.now
        var left = insertion.rows
        while left > 0 {
            let batch = min(left, insertion.rowsPerTransaction)
            try connection.transaction {
                for _ in 0..<batch { try insert.run(body) }
            }
            let rows = Int(connection.lastInsertedRowID)
            observer(.committed(rows: rows, insertion.survives))
            left -= batch
        }
        return environment.clock.now - began
    }

    private func connection(_ configuration: SQLiteConfiguration) throws -> SQLiteConnection {
        if let opened, opened.configuration == configuration { return opened.connection }
        opened?.connection.close()
        opened = nil
        let connection = try SQLiteConnection(
            path: "\(environment.directory)/\(RowInsertion.database)",
            vfs: environment.sqliteVFS,
            configuration: configuration
        )
        opened = (connection, configuration)
        return connection
    }
}
