/// A place that keeps files: a real folder, or a simulated phone's disk.
///
/// Paths are absolute within the store and use `/`. All calls block. Two implementations are
/// shipped: `LiveClient.PosixFileStore` and the lab's disk. SQLite runs on either through
/// `SQLiteVFS`; client modules read and write plain files through it. Folders come into being with
/// the first file in them.
public protocol FileStore: AnyObject, Sendable {
    /// Opens a file; creates it first when `create` is true and it is not there.
    func open(_ path: String, create: Bool) throws(FileStoreError) -> any StoredFile
    /// Removes a file's name; its bytes live on for those who hold it open.
    ///
    /// `syncDirectory` makes the removal durable before returning.
    func remove(_ path: String, syncDirectory: Bool) throws(FileStoreError)
    /// Gives a file another name, replacing what stood there, atomically.
    ///
    /// Durable only after `syncDirectory(of:)`, or a later sync of the file itself.
    func rename(_ path: String, to target: String) throws(FileStoreError)
    /// Makes the names in the folder that holds `path` durable: creations, removals, renames.
    func syncDirectory(of path: String) throws(FileStoreError)
    /// Whether a file of that name is there.
    func exists(_ path: String) throws(FileStoreError) -> Bool
    /// What is known of a file without opening it; nil when it is not there.
    func metadata(of path: String) throws(FileStoreError) -> FileMetadata?
    /// Paths of the files that begin with `prefix`, sorted.
    func list(prefix: String) throws(FileStoreError) -> [String]
}
