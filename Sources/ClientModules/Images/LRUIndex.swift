/// What is kept, by what it costs, the least recently used first; every operation takes constant time.
struct LRUIndex<Key: Hashable & Sendable>: Sendable {
    private struct Node: Sendable {
        var key: Key
        var cost: Int64
        /// Towards the oldest; -1 at the end.
        var older: Int
        /// Towards the newest; -1 at the end.
        var newer: Int
    }

    private var nodes: [Node] = []
    private var free: [Int] = []
    private var slots: [Key: Int] = [:]
    private var oldest = -1
    private var newest = -1

    /// The sum of all costs, exact.
    private(set) var total: Int64 = 0

    /// How many are kept.
    var count: Int { slots.count }

    /// Whether `key` is kept; does not count as a use.
    func contains(_ key: Key) -> Bool { slots[key] != nil }

    /// Keeps `key` as the most recently used, in place of what it cost before.
    mutating func insert(_ key: Key, cost: Int64) {
        precondition(cost >= 0, "a cost of \(cost) would make room")
        remove(key)
        let node = Node(key: key, cost: cost, older: newest, newer: -1)
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            nodes[slot] = node
        } else {
            slot = nodes.count
            nodes.append(node)
        }
        if newest >= 0 { nodes[newest].newer = slot } else { oldest = slot }
        newest = slot
        slots[key] = slot
        total += cost
    }

    /// Counts a use of `key`; false when it is not kept.
    @discardableResult
    mutating func touch(_ key: Key) -> Bool {
        guard let slot = slots[key] else { return false }
        insert(key, cost: nodes[slot].cost)
        return true
    }

    /// Keeps `key` no more; returns what it cost.
    @discardableResult
    mutating func remove(_ key: Key) -> Int64? {
        guard let slot = slots.removeValue(forKey: key) else { return nil }
        let node = nodes[slot]
        if node.older >= 0 { nodes[node.older].newer = node.newer } else { oldest = node.newer }
        if node.newer >= 0 { nodes[node.newer].older = node.older } else { newest = node.older }
        free.append(slot)
        total -= node.cost
        return node.cost
    }

    /// Lets go of the least recently used until the rest costs `limit` at most.
    mutating func trim(to limit: Int64) -> [Key] {
        var gone: [Key] = []
        while total > limit, oldest >= 0 {
            let key = nodes[oldest].key
            remove(key)
            gone.append(key)
        }
        return gone
    }
}
