/// A result code of SQLite, primary or extended (sqlite.org/rescode).
public struct SQLiteResultCode: RawRepresentable, Hashable, Sendable {
    /// The number as SQLite gives it.
    public let rawValue: Int32

    /// Makes the code of a number.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The low byte alone: the kind of failure without its detail.
    public var primary: SQLiteResultCode { SQLiteResultCode(rawValue: rawValue & 0xFF) }

    /// SQLITE_ERROR: wrong SQL, or a failure with no code of its own.
    public static let error = SQLiteResultCode(rawValue: 1)
    /// SQLITE_BUSY: another connection holds the lock.
    public static let busy = SQLiteResultCode(rawValue: 5)
    /// SQLITE_LOCKED: this connection is in its own way.
    public static let locked = SQLiteResultCode(rawValue: 6)
    /// SQLITE_NOMEM: no memory.
    public static let outOfMemory = SQLiteResultCode(rawValue: 7)
    /// SQLITE_READONLY: the database cannot be written.
    public static let readOnly = SQLiteResultCode(rawValue: 8)
    /// SQLITE_IOERR: the storage failed, or the process that asked is dead.
    public static let inputOutput = SQLiteResultCode(rawValue: 10)
    /// SQLITE_CORRUPT: the file is damaged.
    public static let corrupt = SQLiteResultCode(rawValue: 11)
    /// SQLITE_FULL: no space left.
    public static let full = SQLiteResultCode(rawValue: 13)
    /// SQLITE_CANTOPEN: no such file, or it cannot be opened.
    public static let cannotOpen = SQLiteResultCode(rawValue: 14)
    /// SQLITE_CONSTRAINT: a constraint of the schema was broken.
    public static let constraint = SQLiteResultCode(rawValue: 19)
    /// SQLITE_MISUSE: the library was called wrongly.
    public static let misuse = SQLiteResultCode(rawValue: 21)
    /// SQLITE_AUTH: access was refused, as on a locked device.
    public static let notAuthorized = SQLiteResultCode(rawValue: 23)
    /// SQLITE_RANGE: no parameter of that number.
    public static let outOfRange = SQLiteResultCode(rawValue: 25)
    /// SQLITE_NOTADB: the file is no database.
    public static let notADatabase = SQLiteResultCode(rawValue: 26)
}

extension SQLiteResultCode: CustomStringConvertible {
    /// SQLite's own name of the primary code with the number, such as `SQLITE_IOERR (778)`.
    public var description: String {
        let names: [Int32: String] = [
            1: "ERROR", 2: "INTERNAL", 3: "PERM", 4: "ABORT", 5: "BUSY", 6: "LOCKED", 7: "NOMEM",
            8: "READONLY", 9: "INTERRUPT", 10: "IOERR", 11: "CORRUPT", 12: "NOTFOUND", 13: "FULL",
            14: "CANTOPEN", 15: "PROTOCOL", 17: "SCHEMA", 18: "TOOBIG", 19: "CONSTRAINT",
            20: "MISMATCH", 21: "MISUSE", 23: "AUTH", 25: "RANGE", 26: "NOTADB",
        ]
        return "SQLITE_\(names[rawValue & 0xFF] ?? "CODE") (\(rawValue))"
    }
}
