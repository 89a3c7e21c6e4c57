/// What a process asks of the disk; it can be killed between any two of these.
package enum DiskEffect: String, Sendable, CaseIterable {
    case open
    case create
    case read
    case write
    case truncate
    case sync
    case syncDirectory
    case remove
    case rename
    case size
    case look
    case lock
    case map

    /// Whether it changes what a later launch can find: the effects that a kill plan counts.
    package var isDurable: Bool {
        switch self {
        case .create, .write, .truncate, .sync, .syncDirectory, .remove, .rename: true
        case .open, .read, .size, .look, .lock, .map: false
        }
    }
}
