import ClientModules
import NetworkModel

/// What one launch is told of the way to the internet.
///
/// As on a phone, a blackhole and a captive portal look like a path that is there.
final class SimulatedPath: PathMonitoring, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private let network: AccessNetwork
    private let fanout: SignalFanout<NetworkPath>
    /// Whether the person asked for little use.
    private let isConstrained: Bool
    /// Whether the system lets the app have no network.
    private var isBlocked: Bool

    init(
        network: AccessNetwork,
        fanout: SignalFanout<NetworkPath>,
        isConstrained: Bool,
        isBlocked: Bool
    ) {
        self.network = network
        self.fanout = fanout
        self.isConstrained = isConstrained
        self.isBlocked = isBlocked
    }

    var current: NetworkPath { reading(of: network.path) }

    func changes() -> AsyncStream<NetworkPath> {
        fanout.stream(startingWith: current)
    }

    func pathChanged(to path: PathSnapshot) {
        fanout.send(reading(of: path))
    }

    /// The system cuts the app off, or lets it through.
    func setBlocked(_ isBlocked: Bool) {
        self.isBlocked = isBlocked
        fanout.send(current)
    }

    private func reading(of path: PathSnapshot) -> NetworkPath {
        NetworkPath(
            isSatisfied: path.hasRoute && !isBlocked,
            isExpensive: path.isMetered,
            isConstrained: isConstrained,
            interface: path.hasRoute && !isBlocked ? path.interface.rawValue : "none"
        )
    }
}
