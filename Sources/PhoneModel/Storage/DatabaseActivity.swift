/// What goes on in one database: whether a write transaction is open, and how many there were.
final class DatabaseActivity {
    /// How the open transaction protects itself.
    enum Mode {
        case rollback
        case wal
    }

    /// What a file is to a database.
    enum Role {
        case database
        case journal
        case wal
    }

    let database: String
    private(set) var commits = 0
    private(set) var writer: DiskClient?
    private var mode: Mode?
    private var hasBegun = false
    private var index = 0
    private var isDatabaseWritten = false

    init(path: String) {
        database = Self.name(of: path)
    }

    /// The path of the database that a file belongs to, by SQLite's naming, and what it is to it.
    static func role(of path: String) -> (base: String, role: Role) {
        if path.hasSuffix("-wal") { return (String(path.dropLast(4)), .wal) }
        if path.hasSuffix("-journal") { return (String(path.dropLast(8)), .journal) }
        return (path, .database)
    }

    /// The file's name without folder and extension.
    static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map { String($0) } ?? path
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
        return String(file[..<dot])
    }

    /// The write lock was taken.
    func arm(_ mode: Mode, by client: DiskClient) {
        guard self.mode == nil else { return }
        self.mode = mode
        writer = client
        hasBegun = false
        isDatabaseWritten = false
        index = 0
    }

    /// A write is about to be made: the events that come before it.
    func write(_ role: Role, by client: DiskClient, tell: (DiskTransactionEvent) -> Void) {
        guard let mode, writer === client else { return }
        switch (mode, role) {
        case (.wal, .wal), (.rollback, .database): isDatabaseWritten = true
        case (.rollback, .journal): break
        default: return
        }
        if !hasBegun {
            hasBegun = true
            tell(.began(database: database, ordinal: commits + 1))
            // Whoever was told may have killed the writer.
            guard self.mode != nil else { return }
        }
        index += 1
        tell(.writing(database: database, ordinal: commits + 1, index: index))
    }

    /// The write lock was given back.
    func disarm(by client: DiskClient, tell: (DiskTransactionEvent) -> Void) {
        guard mode != nil, writer === client else { return }
        mode = nil
        writer = nil
        guard hasBegun else { return }
        if isDatabaseWritten { commits += 1 }
        tell(
            .ended(
                database: database,
                ordinal: isDatabaseWritten ? commits : commits + 1,
                committed: isDatabaseWritten
            )
        )
    }

    /// The writer died.
    func cut(by client: DiskClient, tell: (DiskTransactionEvent) -> Void) {
        guard mode != nil, writer === client else { return }
        mode = nil
        writer = nil
        if hasBegun { tell(.cut(database: database, ordinal: commits + 1)) }
    }
}
