import ClientModules

#if canImport(Network)
import Dispatch
import Network
#endif

/// The way to the internet, as the system sees it.
///
/// On Apple systems from `NWPathMonitor`. Elsewhere nothing watches: the path counts as satisfied
/// until the app says otherwise by `pathChanged`, which costs a failed attempt where a phone would
/// have known better.
public final class LivePathMonitor: PathMonitoring {
    private let channel = SignalChannel(NetworkPath(isSatisfied: true, interface: "unknown"))
    #if canImport(Network)
    private let monitor = NWPathMonitor()
    #endif

    /// Begins to watch.
    public init() {
        #if canImport(Network)
        monitor.pathUpdateHandler = { [channel] path in
            channel.set(NetworkPath(path))
        }
        monitor.start(queue: .global())
        #endif
    }

    deinit {
        #if canImport(Network)
        monitor.cancel()
        #endif
    }

    /// The path now.
    public var current: NetworkPath { channel.current }

    /// The path now, then each change.
    public func changes() -> AsyncStream<NetworkPath> {
        channel.stream(startingWithCurrent: true)
    }

    /// Tells of a change that the system does not tell of.
    public func pathChanged(to path: NetworkPath) {
        channel.set(path)
    }
}

#if canImport(Network)
extension NetworkPath {
    fileprivate init(_ path: NWPath) {
        let isSatisfied = path.status == .satisfied
        let interface =
            path.usesInterfaceType(.wifi)
            ? "wifi" : path.usesInterfaceType(.cellular) ? "cellular" : "other"
        self.init(
            isSatisfied: isSatisfied,
            isExpensive: path.isExpensive,
            isConstrained: path.isConstrained,
            interface: isSatisfied ? interface : "none"
        )
    }
}
#endif
