/// What the path's changes mean for work that waits: when there is a route, and when a new one is worth a try.
struct Reachability: Sendable, Equatable {
    /// Shortest span between two early tries.
    ///
    /// Ten seconds is an assumption: a path that flaps faster than that carries nothing anyway.
    static let earlyTryInterval: Duration = .seconds(10)

    /// Whether there is a route.
    private(set) var isReachable: Bool
    private var interface: String
    private var lastEarlyTry: Duration?

    /// Begins with a first reading.
    init(_ path: NetworkPath) {
        isReachable = path.isSatisfied
        interface = path.interface
    }

    /// Takes in a reading; true when there is a route that was not there before.
    mutating func take(_ path: NetworkPath) -> Bool {
        let isNew = path.isSatisfied && (!isReachable || path.interface != interface)
        isReachable = path.isSatisfied
        if path.isSatisfied { interface = path.interface }
        return isNew
    }

    /// Whether to try at once now what waits because of the old path; counts as a try when true.
    mutating func allowsEarlyTry(at now: Duration) -> Bool {
        if let lastEarlyTry, now < lastEarlyTry + Self.earlyTryInterval { return false }
        lastEarlyTry = now
        return true
    }
}
