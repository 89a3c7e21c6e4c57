import ClientModules
import NetworkModel

/// What one launch is told of the way to the internet.
///
/// As on a phone, a blackhole and a captive portal look like a path that is there.
final class SimulatedPath: PathMonitoring, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private let network: AccessNetwork
    private let fanout: SignalFanout<NetworkPath>

    init(network: AccessNetwork, fanout: SignalFanout<NetworkPath>) {
        self.network = network
        self.fanout = fanout
    }

    var current: NetworkPath { Self.reading(of: network.path) }

    func changes() -> AsyncStream<NetworkPath> {
        fanout.stream(startingWith: current)
    }

    func pathChanged(to path: PathSnapshot) {
        fanout.send(Self.reading(of: path))
    }

    private static func reading(of path: PathSnapshot) -> NetworkPath {
        NetworkPath(
            isSatisfied: path.hasRoute,
            isExpensive: path.isMetered,
            isConstrained: false,
            interface: path.hasRoute ? path.interface.rawValue : "none"
        )
    }
}
