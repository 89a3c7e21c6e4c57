import CSQLite

/// The C functions of the VFS itself; those of an open file are in `SQLiteVFSFile`.
extension SQLiteVFS {
    /// 1970-01-01 as SQLite counts: milliseconds since noon of 24 November 4714 BC.
    ///
    /// Julian day 2440587.5 x 86,400,000.
    static let julianEpochMilliseconds: Int64 = 210_866_760_000_000

    /// Longest path in bytes; SQLite's own VFS takes 512.
    static let longestPath: Int32 = 512

    static func template() -> sqlite3_vfs {
        var vfs = sqlite3_vfs()
        vfs.iVersion = 2
        vfs.szOsFile = fileStructureSize
        vfs.mxPathname = longestPath
        vfs.xOpen = { SQLiteVFS.of($0).openFile($1, $2, $3, $4) }
        vfs.xDelete = { SQLiteVFS.of($0).delete($1, syncDirectory: $2 != 0) }
        vfs.xAccess = { SQLiteVFS.of($0).access($1, $2, $3) }
        vfs.xFullPathname = { SQLiteVFS.of($0).writeFullPath($1, $2, $3) }
        vfs.xDlOpen = { _, _ in nil }
        vfs.xDlError = { _, count, message in sayNothing(count, message) }
        vfs.xDlSym = { _, _, _ in nil }
        vfs.xDlClose = { _, _ in }
        vfs.xRandomness = { vfs, count, bytes in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
            guard let host = SQLiteVFS.of(vfs).host else {
                // Its process is dead; zeros are as good as anything, and the same each time.
                buffer.initializeMemory(as: UInt8.self, repeating: 0)
                return count
            }
            host.randomness(buffer)
            return count
        }
        vfs.xSleep = { vfs, microseconds in
            SQLiteVFS.of(vfs).host?.sleep(.microseconds(Int64(microseconds)))
            return microseconds
        }
        vfs.xCurrentTime = { vfs, day in
            day?.pointee = Double(SQLiteVFS.of(vfs).julianMilliseconds()) / 86_400_000
            return SQLITE_OK
        }
        vfs.xGetLastError = { _, _, _ in 0 }
        vfs.xCurrentTimeInt64 = { vfs, time in
            time?.pointee = SQLiteVFS.of(vfs).julianMilliseconds()
            return SQLITE_OK
        }
        return vfs
    }

    private static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> SQLiteVFS {
        guard let data = vfs?.pointee.pAppData else {
            preconditionFailure("SQLite called a VFS without its data")
        }
        return Unmanaged<SQLiteVFS>.fromOpaque(data).takeUnretainedValue()
    }

    private func julianMilliseconds() -> Int64 {
        (host?.wallMilliseconds() ?? 0) + Self.julianEpochMilliseconds
    }

    private func openFile(
        _ name: UnsafePointer<CChar>?,
        _ place: UnsafeMutablePointer<sqlite3_file>?,
        _ flags: Int32,
        _ flagsOut: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let place else { return SQLITE_MISUSE }
        // Without methods SQLite knows that there is nothing to close.
        place.pointee.pMethods = nil
        guard let store else { return SQLITE_IOERR }
        let path = name.map { String(cString: $0) } ?? nextTemporaryPath()
        do throws(FileStoreError) {
            let file = try store.open(path, create: flags & SQLITE_OPEN_CREATE != 0)
            if name == nil || flags & SQLITE_OPEN_DELETEONCLOSE != 0 {
                // Nobody else needs the name; a killed process then leaves no such file behind.
                try store.remove(path, syncDirectory: false)
            }
            SQLiteVFSFile(file: file, path: path, flags: flags, vfs: self).place(into: place)
            flagsOut?.pointee = flags
            return SQLITE_OK
        } catch {
            switch error {
            case .notFound: return SQLITE_CANTOPEN
            case .noSpace: return SQLITE_FULL
            case .notPermitted: return SQLITE_AUTH
            case .inputOutput: return SQLITE_CANTOPEN
            case .fenced: return SQLITE_IOERR
            }
        }
    }

    private func delete(_ name: UnsafePointer<CChar>?, syncDirectory: Bool) -> Int32 {
        guard let name else { return SQLITE_MISUSE }
        guard let store else { return SQLITE_IOERR }
        do throws(FileStoreError) {
            try store.remove(String(cString: name), syncDirectory: syncDirectory)
            return SQLITE_OK
        } catch {
            if case .notFound = error { return SQLiteFailure.deleteOfNothing }
            return SQLiteFailure.code(error, during: SQLiteFailure.delete)
        }
    }

    /// A file of no bytes counts as absent, as in SQLite's own VFS: an empty journal is none.
    private func access(
        _ name: UnsafePointer<CChar>?,
        _ flags: Int32,
        _ result: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let name else { return SQLITE_MISUSE }
        result?.pointee = 0
        guard let store else { return SQLITE_IOERR }
        do throws(FileStoreError) {
            let found = try store.metadata(of: String(cString: name))
            let isThere = flags == SQLITE_ACCESS_EXISTS ? (found?.size ?? 0) > 0 : found != nil
            result?.pointee = isThere ? 1 : 0
            return SQLITE_OK
        } catch {
            return SQLiteFailure.code(error, during: SQLiteFailure.access)
        }
    }

    private func writeFullPath(
        _ name: UnsafePointer<CChar>?,
        _ count: Int32,
        _ out: UnsafeMutablePointer<CChar>?
    ) -> Int32 {
        guard let name, let out else { return SQLITE_MISUSE }
        let bytes = fullPath(String(cString: name)).utf8CString
        guard bytes.count <= Int(count) else { return SQLITE_CANTOPEN }
        for (index, byte) in bytes.enumerated() { out[index] = byte }
        return SQLITE_OK
    }
}

/// An empty message of the loader of extensions, which there is none of.
private func sayNothing(_ count: Int32, _ message: UnsafeMutablePointer<CChar>?) {
    if count > 0 { message?.pointee = 0 }
}
