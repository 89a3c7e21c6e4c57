import NetworkModel
import Profiles

extension Scenario {
    /// How HTTP clients of the phone are set: the app's own, and the system's that carries transfers out.
    var clientSettings: HTTPClientSettings {
        let transport = conditions.network.transport
        var settings = HTTPClientSettings()
        settings.connectionsPerHost = scenario.app.http.connections
        settings.applicationProtocol = transport.http
        settings.resumesSessions = transport.resumesSessions
        settings.sendsEarlyData = transport.sendsEarlyData
        settings.quic.migrates = transport.migrates
        if transport.kind == .ideal { settings.transport = .ideal }
        return settings
    }
}
