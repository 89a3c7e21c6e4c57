/// A place that keeps files: a real folder, or a simulated phone's disk.
///
/// Paths are absolute within the store and use `/`. All calls block. Two implementations are
/// shipped: `LiveClient.PosixFileStore` and the lab's disk. SQLite runs on either through
/// `SQLiteVFS`; client modules read and write plain files through it.
public protocol FileStore: AnyObject, Sendable {
    /// Opens a file; creates it first when `create` is true and it is not there.
    func open(_ path: String, create: Bool) throws(FileStoreError) -> any StoredFile
    /// Removes a file's name; its bytes live on for those who hold it open.
    ///
    /// - Parameter syncDirectory: makes the removal durable before returning.
    func remove(_ path: String, syncDirectory: Bool) throws(FileStoreError)
    /// Gives a file another name, replacing what stood there, atomically.
    func rename(_ path: String, to target: String) throws(FileStoreError)
    /// Whether a file of that name is there.
    func exists(_ path: String) -> Bool
    /// What is known of a file without opening it; nil when it is not there.
    func metadata(of path: String) -> FileMetadata?
    /// Names of the files whose path begins with `prefix`, sorted.
    func list(prefix: String) -> [String]
}
