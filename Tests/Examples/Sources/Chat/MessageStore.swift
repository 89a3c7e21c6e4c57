import AppSQLite
import Foundation

/// The app's database of unsent messages: plain SQLite, as an app would use it.
final class MessageStore {
    struct Failure: Error {
        let code: Int32
        let message: String
    }

    private let database: OpaquePointer

    init(path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open(path, &handle)
        guard code == SQLITE_OK, let handle else {
            throw Failure(code: code, message: "cannot open the database")
        }
        database = handle
        sqlite3_busy_timeout(database, 2_000)
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        try run("CREATE TABLE IF NOT EXISTS unsent (id TEXT PRIMARY KEY, text TEXT, key TEXT)")
        try run("CREATE TABLE IF NOT EXISTS pause (one INTEGER PRIMARY KEY, until REAL)")
    }

    deinit {
        sqlite3_close(database)
    }

    func add(_ message: Message) throws {
        // Saying the same again is no second message.
        try run(
            "INSERT OR IGNORE INTO unsent VALUES (?, ?, ?)",
            [message.id, message.text, message.key.uuidString]
        )
    }

    func remove(_ message: Message) throws {
        try run("DELETE FROM unsent WHERE id = ?", [message.id])
    }

    /// The oldest unsent message.
    func first() throws -> Message? {
        var first: Message?
        try run("SELECT id, text, key FROM unsent ORDER BY rowid LIMIT 1") { row in
            guard let key = UUID(uuidString: row(2)) else { return }
            first = Message(id: row(0), text: row(1), key: key)
        }
        return first
    }

    func count() throws -> Int {
        var count = 0
        try run("SELECT count(*) FROM unsent") { row in count = Int(row(0)) ?? 0 }
        return count
    }

    /// When the server wants to hear from us again; a new launch has to know it too.
    func pausedUntil() throws -> Date? {
        var until: Date?
        try run("SELECT until FROM pause") { row in
            until = Double(row(0)).map { Date(timeIntervalSince1970: $0) }
        }
        return until
    }

    func pause(until date: Date) throws {
        try run("INSERT OR REPLACE INTO pause VALUES (1, ?)", ["\(date.timeIntervalSince1970)"])
    }

    private func run(
        _ sql: String,
        _ values: [String] = [],
        row: ((_ column: (Int32) -> String) -> Void)? = nil
    ) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure()
        }
        defer { sqlite3_finalize(statement) }
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (index, value) in values.enumerated() {
            sqlite3_bind_text(statement, Int32(index + 1), value, -1, transient)
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_DONE:
                return
            case SQLITE_ROW:
                row? { sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "" }
            default:
                throw failure()
            }
        }
    }

    private func failure() -> Failure {
        Failure(
            code: sqlite3_extended_errcode(database),
            message: String(cString: sqlite3_errmsg(database))
        )
    }
}
