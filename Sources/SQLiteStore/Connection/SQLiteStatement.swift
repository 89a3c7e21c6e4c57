import CSQLite

/// A compiled statement, to run many times with other values.
///
/// Belongs to the connection that made it and to the same actor or thread. Every call binds, steps
/// and resets, so nothing is left open between calls and no bound value is kept.
public final class SQLiteStatement {
    /// The SQL it was made of.
    public let sql: String
    let pointer: OpaquePointer
    private let life: SQLiteLife

    init(sql: String, connection: OpaquePointer, life: SQLiteLife) throws(SQLiteError) {
        self.life = life
        var made: OpaquePointer?
        let result = sqlite3_prepare_v3(
            connection,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &made,
            nil
        )
        guard result == SQLITE_OK else {
            throw SQLiteError(result: result, connection: connection, sql: sql)
        }
        guard let made else {
            throw SQLiteError(code: .misuse, message: "there is no statement in the text", sql: sql)
        }
        self.sql = sql
        pointer = made
    }

    deinit {
        if !life.isOver { sqlite3_finalize(pointer) }
    }

    /// Whether a closure of this statement is still reading rows.
    public var isRunning: Bool { !life.isOver && sqlite3_stmt_busy(pointer) != 0 }

    /// Runs the statement to its end; rows are passed over.
    public func run(_ values: any SQLiteBindable...) throws(SQLiteError) {
        try run(values)
    }

    /// Runs the statement to its end; rows are passed over.
    public func run(_ values: [any SQLiteBindable]) throws(SQLiteError) {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// The first row, read by `body`; nil when there is none.
    public func first<Value>(
        _ values: any SQLiteBindable...,
        body: (SQLiteRow) throws -> Value
    ) throws -> Value? {
        defer { reset() }
        try bind(values)
        guard try step() else { return nil }
        return try body(SQLiteRow(statement: pointer))
    }

    /// Every row, read by `body`.
    public func all<Value>(
        _ values: any SQLiteBindable...,
        body: (SQLiteRow) throws -> Value
    ) throws -> [Value] {
        var read: [Value] = []
        defer { reset() }
        try bind(values)
        while try step() { read.append(try body(SQLiteRow(statement: pointer))) }
        return read
    }

    /// Hands every row to `body` until it says false; keeps none.
    public func scan(
        _ values: any SQLiteBindable...,
        body: (SQLiteRow) throws -> Bool
    ) throws {
        defer { reset() }
        try bind(values)
        while try step() {
            guard try body(SQLiteRow(statement: pointer)) else { return }
        }
    }

    private func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result: throw failure(result)
        }
    }

    private func reset() {
        guard !life.isOver else { return }
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    private func bind(_ values: [any SQLiteBindable]) throws(SQLiteError) {
        guard !life.isOver else {
            throw SQLiteError(code: .misuse, message: "the statement's process is dead", sql: sql)
        }
        let wanted = Int(sqlite3_bind_parameter_count(pointer))
        guard values.count == wanted else {
            throw SQLiteError(
                code: .outOfRange,
                message: "\(wanted) values are wanted, \(values.count) given",
                sql: sql
            )
        }
        for (index, value) in values.enumerated() {
            let result = bind(value.sqliteValue, to: Int32(index + 1))
            guard result == SQLITE_OK else { throw failure(result) }
        }
    }

    private func bind(_ value: SQLiteValue, to parameter: Int32) -> Int32 {
        // SQLITE_TRANSIENT, a cast that the importer leaves out: SQLite makes its own copy.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null:
            return sqlite3_bind_null(pointer, parameter)
        case .integer(let number):
            return sqlite3_bind_int64(pointer, parameter, number)
        case .real(let number):
            return sqlite3_bind_double(pointer, parameter, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    sqlite3_bind_text64(
                        pointer,
                        parameter,
                        characters.baseAddress,
                        UInt64(characters.count),
                        copied,
                        UInt8(SQLITE_UTF8)
                    )
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(pointer, parameter, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob64(
                    pointer,
                    parameter,
                    $0.baseAddress,
                    UInt64($0.count),
                    copied
                )
            }
        }
    }

    private func failure(_ result: Int32) -> SQLiteError {
        SQLiteError(result: result, connection: sqlite3_db_handle(pointer), sql: sql)
    }
}
