/// What the system says of the way to the internet: NWPathMonitor, ConnectivityManager.
public struct NetworkPath: Sendable, Equatable {
    /// Whether there is a route at all.
    public var isSatisfied: Bool
    /// Whether bytes cost the user money.
    public var isExpensive: Bool
    /// Whether the user asked for little use (Low Data Mode, Data Saver).
    public var isConstrained: Bool
    /// "wifi", "cellular" or "none".
    public var interface: String

    /// Makes a reading.
    public init(
        isSatisfied: Bool,
        isExpensive: Bool = false,
        isConstrained: Bool = false,
        interface: String = "none"
    ) {
        self.isSatisfied = isSatisfied
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.interface = interface
    }
}

/// Watches the path.
public protocol PathMonitoring: Sendable {
    /// The path now.
    var current: NetworkPath { get }
    /// The path now, then each change; every call makes a stream of its own.
    func changes() -> AsyncStream<NetworkPath>
}
