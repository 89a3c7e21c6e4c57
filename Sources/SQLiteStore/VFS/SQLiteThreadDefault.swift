import CSQLite
import Foundation

/// Which VFS a thread gets when it opens a database without naming one.
///
/// A thread that hosts a simulated phone gets the phone's, every other one the system's: so a module
/// that knows nothing of VFS names runs on the phone, and ordinary code beside it on real files.
/// Works through a VFS of its own that is SQLite's default from the first use on, and that hands each
/// call to the one that is due.
public enum SQLiteThreadDefault {
    /// Lets the calling thread use `vfs` when no name is given; nil gives it the system's back.
    public static func set(_ vfs: SQLiteVFS?) {
        guard let router else { return }
        pthread_setspecific(router.key, vfs.map { UnsafeRawPointer($0.sqliteStructure) })
        if vfs == nil { choose(nil) }
    }

    /// Lets the calling thread ask `choice` first whenever no name is given; where it says nil, `set` holds.
    ///
    /// For a thread that runs several processes in turn. `set(nil)` ends it.
    public static func choose(_ choice: (() -> SQLiteVFS?)?) {
        guard let router else { return }
        if let old = pthread_getspecific(router.choice) {
            Unmanaged<Choice>.fromOpaque(old).release()
        }
        let kept = choice.map { Unmanaged.passRetained(Choice($0)).toOpaque() }
        pthread_setspecific(router.choice, kept.map { UnsafeRawPointer($0) })
    }

    private final class Choice {
        let body: () -> SQLiteVFS?

        init(_ body: @escaping () -> SQLiteVFS?) {
            self.body = body
        }
    }

    fileprivate struct Router: @unchecked Sendable {
        let key: pthread_key_t
        let choice: pthread_key_t
        let system: UnsafeMutablePointer<sqlite3_vfs>

        /// The VFS that the calling thread is due.
        var due: UnsafeMutablePointer<sqlite3_vfs> {
            if let choice = pthread_getspecific(choice),
                let vfs = Unmanaged<Choice>.fromOpaque(choice).takeUnretainedValue().body()
            {
                return vfs.sqliteStructure
            }
            return pthread_getspecific(key)?.assumingMemoryBound(to: sqlite3_vfs.self) ?? system
        }
    }

    /// Registered once; lives until the process ends.
    fileprivate static let router: Router? = {
        guard let system = sqlite3_vfs_find(nil) else { return nil }
        var key = pthread_key_t()
        var choice = pthread_key_t()
        guard pthread_key_create(&key, nil) == 0, pthread_key_create(&choice, nil) == 0 else {
            return nil
        }
        let structure = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        structure.initialize(to: system.pointee)
        structure.pointee.iVersion = 2
        structure.pointee.szOsFile = max(system.pointee.szOsFile, SQLiteVFS.fileStructureSize)
        structure.pointee.mxPathname = max(system.pointee.mxPathname, SQLiteVFS.longestPath)
        structure.pointee.pNext = nil
        structure.pointee.zName = UnsafePointer(strdup("onebar-by-thread"))
        route(&structure.pointee)
        guard sqlite3_vfs_register(structure, 1) == SQLITE_OK else { return nil }
        return Router(key: key, choice: choice, system: system)
    }()

    /// The VFS that is due; the system's if there is no router, which cannot be while it is called.
    fileprivate static var due: UnsafeMutablePointer<sqlite3_vfs>? { router?.due }

    private static func route(_ vfs: inout sqlite3_vfs) {
        vfs.xOpen = { _, name, file, flags, outFlags in
            guard let due = SQLiteThreadDefault.due, let open = due.pointee.xOpen else {
                return SQLITE_CANTOPEN
            }
            return open(due, name, file, flags, outFlags)
        }
        vfs.xDelete = { _, name, syncDirectory in
            guard let due = SQLiteThreadDefault.due, let delete = due.pointee.xDelete else {
                return SQLITE_IOERR
            }
            return delete(due, name, syncDirectory)
        }
        vfs.xAccess = { _, name, flags, result in
            guard let due = SQLiteThreadDefault.due, let access = due.pointee.xAccess else {
                return SQLITE_IOERR
            }
            return access(due, name, flags, result)
        }
        vfs.xFullPathname = { _, name, size, result in
            guard let due = SQLiteThreadDefault.due, let full = due.pointee.xFullPathname else {
                return SQLITE_IOERR
            }
            return full(due, name, size, result)
        }
        vfs.xRandomness = { _, count, bytes in
            guard let due = SQLiteThreadDefault.due, let randomness = due.pointee.xRandomness else {
                return 0
            }
            return randomness(due, count, bytes)
        }
        vfs.xSleep = { _, microseconds in
            guard let due = SQLiteThreadDefault.due, let sleep = due.pointee.xSleep else {
                return 0
            }
            return sleep(due, microseconds)
        }
        vfs.xCurrentTime = { _, result in
            guard let due = SQLiteThreadDefault.due, let time = due.pointee.xCurrentTime else {
                return SQLITE_ERROR
            }
            return time(due, result)
        }
        vfs.xCurrentTimeInt64 = { _, result in
            guard let due = SQLiteThreadDefault.due, let time = due.pointee.xCurrentTimeInt64 else {
                return SQLITE_ERROR
            }
            return time(due, result)
        }
        vfs.xGetLastError = { _, size, text in
            guard let due = SQLiteThreadDefault.due, let last = due.pointee.xGetLastError else {
                return 0
            }
            return last(due, size, text)
        }
    }
}
