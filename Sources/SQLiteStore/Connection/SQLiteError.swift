import CSQLite

/// A failure of SQLite: its code, its message and the SQL, never the values bound to it.
public struct SQLiteError: Error, Equatable, Sendable {
    /// The extended result code.
    public let code: SQLiteResultCode
    /// What SQLite says of it.
    public let message: String
    /// The statement that failed, with its `?`; nil where there was none.
    public let sql: String?

    /// Makes an error.
    public init(code: SQLiteResultCode, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// Whether another connection was in the way, so that the same call may succeed later.
    public var isBusy: Bool { code.primary == .busy || code.primary == .locked }

    /// Whether the device is full.
    public var isFull: Bool { code.primary == .full }

    /// Reads the last failure of a connection.
    init(result: Int32, connection: OpaquePointer?, sql: String?) {
        var code = result
        var message = String(cString: sqlite3_errstr(result))
        if let connection {
            let extended = sqlite3_extended_errcode(connection)
            if extended & 0xFF == result & 0xFF {
                code = extended
                message = String(cString: sqlite3_errmsg(connection))
            }
        }
        self.init(code: SQLiteResultCode(rawValue: code), message: message, sql: sql)
    }
}

extension SQLiteError: CustomStringConvertible {
    /// `SQLITE_FULL (13): database or disk is full, in: INSERT INTO t VALUES (?)`.
    public var description: String {
        guard let sql else { return "\(code): \(message)" }
        return "\(code): \(message), in: \(sql)"
    }
}
