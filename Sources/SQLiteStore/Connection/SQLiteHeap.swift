import CSQLiteHeap
import Synchronization

/// SQLite's memory in a process that hosts one simulated world after another.
///
/// A killed process closes nothing, so what its connections hold would pile up. A worker puts an arena
/// under SQLite; all that a world's databases took of it is forgotten when the next world begins.
public enum SQLiteHeap {
    /// The VFSes that the world has registered, whose open files are in the arena.
    private static let vfses = Mutex<[SQLiteVFS]>([])

    /// Puts the arena under SQLite; to be called before anything else uses SQLite.
    ///
    /// From then on one thread alone may use SQLite. Without effect, and false, where SQLite runs
    /// already or where the arena's figures of memory would not be those of SQLite's own allocator.
    @discardableResult
    public static func install() -> Bool {
        onebar_sqlite_heap_install() != 0
    }

    /// Forgets what connections of earlier worlds hold; does nothing when the arena is not installed.
    ///
    /// A connection that is still there must not be used any more; to close or to drop it is allowed.
    public static func beginWorld() {
        let left = vfses.withLock { known in
            defer { known = [] }
            return known
        }
        for vfs in left { vfs.discard() }
        onebar_sqlite_heap_begin_world()
    }

    /// Bytes that the arena has taken from the system; zero without one.
    public static var reservedBytes: Int { onebar_sqlite_heap_reserved() }

    /// A connection of the running world; of no interest without an arena.
    static func opened(_ connection: SQLiteConnection, through name: String?) {
        guard onebar_sqlite_heap_current_world() > 0, let name else { return }
        vfses.withLock { known in known.last { $0.name == name } }?.connections
            .append(.init(connection: connection))
    }

    /// The running world's connections go through `vfs`; of no interest without an arena.
    static func worldUses(_ vfs: SQLiteVFS) {
        guard onebar_sqlite_heap_current_world() > 0 else { return }
        vfses.withLock { $0.append(vfs) }
    }

    /// The world in which something was allocated.
    struct Mark {
        private let world = onebar_sqlite_heap_current_world()

        /// Whether the memory was given to a later world.
        var isGone: Bool { world != 0 && world != onebar_sqlite_heap_current_world() }
    }
}
