import NetworkModel
import PhoneModel
import Quantities
import ServerModel

/// The phone: its hardware, operating system and disk.
package struct DeviceConfiguration: Equatable, Sendable {
    /// Memory, battery, processor and screen; its name is empty if it is written out in place.
    package var model: DeviceModel
    /// The operating system, such as "android-14".
    package var operatingSystem: String
    /// Flash and file system.
    package var disk: DiskProfile

    /// Makes a device.
    package init(model: DeviceModel, operatingSystem: String, disk: DiskProfile) {
        self.model = model
        self.operatingSystem = operatingSystem
        self.disk = disk
    }
}

/// The phone's radios, from files under `profiles/radios`.
package struct RadioConfiguration: Equatable, Sendable {
    /// Carries the phases over cellular.
    package var cellular: RadioModel
    /// Carries the phases over Wi-Fi.
    package var wifi: RadioModel

    /// Makes a pair.
    package init(cellular: RadioModel, wifi: RadioModel) {
        self.cellular = cellular
        self.wifi = wifi
    }
}

/// The way to the server: phases, and what the transport does on them.
package struct NetworkConfiguration: Equatable, Sendable {
    /// The network file it was made from; empty if it is written out in place.
    package var name: String
    /// Phase after phase.
    package var conditions: NetworkConditions
    /// What carries requests.
    package var transport: TransportConfiguration

    /// Makes a configuration.
    package init(
        name: String = "",
        conditions: NetworkConditions,
        transport: TransportConfiguration = .init()
    ) {
        self.name = name
        self.conditions = conditions
        self.transport = transport
    }

    /// When the last phase begins that lasts for ever, or the last bounded one ends.
    package var boundedDuration: Duration {
        conditions.phases.reduce(.zero) { $0 + ($1.duration ?? .zero) }
    }
}

/// What carries requests between the app and the server.
package struct TransportConfiguration: Equatable, Sendable {
    /// Packets and TCP, or the textbook's ideal.
    package var kind: Kind
    /// What is set up before a request.
    package var security: TransportSecurity
    /// What the client speaks: HTTP/1.1 or HTTP/2 over TCP, or HTTP/3 over QUIC.
    package var http: HTTPClientSettings.ApplicationProtocol
    /// Whether TLS sessions are resumed within one launch.
    package var resumesSessions = false
    /// Whether safe requests go with the first flight of a resumed handshake.
    package var sendsEarlyData = false
    /// Whether an HTTP/3 connection outlives a change of the phone's address.
    package var migrates = true

    /// How bytes travel.
    package enum Kind: String, Sendable, CaseIterable {
        /// Packets and TCP, or QUIC for HTTP/3.
        case tcp
        /// No headers, RTT 0, instant reset and retry (DESIGN section 11).
        case ideal
    }

    /// Makes a transport.
    package init(
        kind: Kind = .tcp,
        security: TransportSecurity = .tls13,
        http: HTTPClientSettings.ApplicationProtocol = .http1
    ) {
        self.kind = kind
        self.security = security
        self.http = http
    }
}

/// The simulated server.
package struct ServerPart: Equatable, Sendable {
    /// The server file it was made from; empty if it is written out in place.
    package var name: String
    /// How it behaves.
    package var configuration: ServerConfiguration
    /// The events that it publishes; nil for none.
    package var stream: EventStreamSettings?

    /// Makes a part.
    package init(
        name: String = "",
        configuration: ServerConfiguration = .init(),
        stream: EventStreamSettings? = nil
    ) {
        self.name = name
        self.configuration = configuration
        self.stream = stream
    }
}
