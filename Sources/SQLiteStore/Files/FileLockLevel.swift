/// SQLite's five lock levels (sqlite.org/lockingv3), in rising order.
public enum FileLockLevel: Int32, Comparable, Sendable {
    case none
    case shared
    case reserved
    case pending
    case exclusive

    /// Orders levels by strength.
    public static func < (left: FileLockLevel, right: FileLockLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
