/// Whether what SQLite allocated for a connection and its statements is still there.
final class SQLiteLife {
    private let heap = SQLiteHeap.Mark()
    private var hasEnded = false

    /// Whether the memory was given back, or to a later world.
    var isOver: Bool { hasEnded || heap.isGone }

    /// From now on nothing may be done with what was allocated.
    func end() { hasEnded = true }
}
