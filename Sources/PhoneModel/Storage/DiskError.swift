/// A failure of the simulated disk, in the words of POSIX: a value, never a trap.
package enum DiskError: Error, Equatable, Sendable {
    /// ENOENT: no file of that name.
    case notFound(path: String)
    /// ENOSPC: no block is left.
    case noSpace
    /// EIO: the device failed.
    case inputOutput
    /// EPERM: the file cannot be reached now, such as on a locked phone.
    case notPermitted
    /// The process that asked is dead; nothing was done.
    case fenced
}
