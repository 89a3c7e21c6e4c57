import CSQLite

/// Codes that a VFS answers with (sqlite.org/rescode), and how a store's error becomes one.
enum SQLiteFailure {
    static let read = SQLITE_IOERR | 1 << 8
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let write = SQLITE_IOERR | 3 << 8
    static let sync = SQLITE_IOERR | 4 << 8
    static let directorySync = SQLITE_IOERR | 5 << 8
    static let truncate = SQLITE_IOERR | 6 << 8
    static let size = SQLITE_IOERR | 7 << 8
    static let delete = SQLITE_IOERR | 10 << 8
    static let access = SQLITE_IOERR | 13 << 8
    static let checkReserved = SQLITE_IOERR | 14 << 8
    static let lock = SQLITE_IOERR | 15 << 8
    static let sharedMemoryLock = SQLITE_IOERR | 20 << 8
    static let sharedMemoryMap = SQLITE_IOERR | 21 << 8
    static let deleteOfNothing = SQLITE_IOERR | 23 << 8
    static let notAuthorized = SQLITE_IOERR | 28 << 8

    /// A dead process gets the plain code, a failing device the one of the operation.
    static func code(_ error: FileStoreError, during operation: Int32) -> Int32 {
        switch error {
        case .noSpace: SQLITE_FULL
        case .notPermitted: notAuthorized
        case .fenced: SQLITE_IOERR
        case .inputOutput, .notFound: operation
        }
    }
}
