/// Addresses that the server has nothing at, each believed until an instant; the oldest go first.
struct RefusalMemory: Sendable {
    /// Most that are remembered; 500 is a choice.
    private static let limit = 500
    private var known: [String: (status: Int, until: Duration)] = [:]
    private var order: [String] = []

    /// The status that stands for `address` at `now`; nil when it is to be asked for.
    mutating func status(of address: String, at now: Duration) -> Int? {
        guard let refusal = known[address] else { return nil }
        guard now < refusal.until else {
            forget(address)
            return nil
        }
        return refusal.status
    }

    /// Believes `status` until an instant.
    mutating func remember(_ address: String, status: Int, until: Duration) {
        forget(address)
        known[address] = (status, until)
        order.append(address)
        if order.count > Self.limit { known[order.removeFirst()] = nil }
    }

    private mutating func forget(_ address: String) {
        guard known.removeValue(forKey: address) != nil else { return }
        order.removeAll { $0 == address }
    }
}
