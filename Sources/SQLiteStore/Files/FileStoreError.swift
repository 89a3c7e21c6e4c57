/// A failure of storage, in the words of POSIX.
public enum FileStoreError: Error, Equatable, Sendable {
    /// ENOENT: no file of that name.
    case notFound(path: String)
    /// ENOSPC: the device is full.
    case noSpace
    /// EIO: the device failed.
    case inputOutput
    /// EPERM: the file cannot be reached now, such as on a locked device.
    case notPermitted
    /// The process that asked is dead; its calls do nothing.
    case fenced
}
