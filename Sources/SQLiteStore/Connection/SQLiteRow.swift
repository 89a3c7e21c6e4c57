import CSQLite

/// The row that a statement stands on; valid only inside the closure that receives it.
///
/// Columns count from zero. Reading another type than the stored one converts as SQLite does
/// (sqlite.org/c3ref/column_blob): NULL reads as 0, "" and no bytes. A column that is not there
/// reads as NULL.
public struct SQLiteRow {
    let statement: OpaquePointer

    /// Columns in the row.
    public var columnCount: Int { Int(sqlite3_column_count(statement)) }

    /// Whether the column is NULL.
    public func isNull(at column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    /// The column as an integer.
    public func integer(at column: Int) -> Int64 {
        sqlite3_column_int64(statement, Int32(column))
    }

    /// The column as a truth: any integer but 0.
    public func bool(at column: Int) -> Bool {
        integer(at: column) != 0
    }

    /// The column as a floating-point number.
    public func double(at column: Int) -> Double {
        sqlite3_column_double(statement, Int32(column))
    }

    /// The column as text; copies it.
    public func text(at column: Int) -> String {
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The column as bytes; copies them.
    public func blob(at column: Int) -> [UInt8] {
        withBlob(at: column) { Array($0) }
    }

    /// Lends the column's bytes without a copy.
    public func withBlob<Value>(
        at column: Int,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        let start = sqlite3_column_blob(statement, Int32(column))
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// The column as an integer; nil for NULL.
    public func optionalInteger(at column: Int) -> Int64? {
        isNull(at: column) ? nil : integer(at: column)
    }

    /// The column as text; nil for NULL.
    public func optionalText(at column: Int) -> String? {
        isNull(at: column) ? nil : text(at: column)
    }

    /// The column as bytes; nil for NULL.
    public func optionalBlob(at column: Int) -> [UInt8]? {
        isNull(at: column) ? nil : blob(at: column)
    }

    /// The column as it is stored.
    public func value(at column: Int) -> SQLiteValue {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(at: column))
        case SQLITE_FLOAT: .real(double(at: column))
        case SQLITE_TEXT: .text(text(at: column))
        case SQLITE_BLOB: .blob(blob(at: column))
        default: .null
        }
    }
}
