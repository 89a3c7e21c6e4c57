import NetworkModel
import Quantities
import ServerModel

/// The phone: its battery, memory and disk.
package struct DeviceConfiguration: Equatable, Sendable {
    /// The device file it was made from, such as "android-mid"; empty if it is written out in place.
    package var name: String
    /// The operating system, such as "android-14".
    package var operatingSystem: String
    /// What a full battery holds.
    package var battery: BatteryCapacity
    /// Memory that the app may use before it is killed.
    package var memoryLimit: ByteCount
    /// The disk's name, such as "f2fs-ufs".
    package var disk: String
    /// Frames a second of the screen.
    package var refreshRate: Int

    /// Makes a device.
    package init(
        name: String,
        operatingSystem: String,
        battery: BatteryCapacity,
        memoryLimit: ByteCount,
        disk: String,
        refreshRate: Int
    ) {
        self.name = name
        self.operatingSystem = operatingSystem
        self.battery = battery
        self.memoryLimit = memoryLimit
        self.disk = disk
        self.refreshRate = refreshRate
    }
}

/// The phone's radios by name; files under `profiles/radios`.
package struct RadioConfiguration: Equatable, Sendable {
    /// Carries the phases over cellular.
    package var cellular: String
    /// Carries the phases over Wi-Fi.
    package var wifi: String

    /// Makes a pair.
    package init(cellular: String, wifi: String) {
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
    package var security: Security

    /// How bytes travel.
    package enum Kind: String, Sendable, CaseIterable {
        /// Packets, TCP and HTTP/1.1.
        case tcp
        /// No headers, RTT 0, instant reset and retry (DESIGN section 11).
        case ideal
    }

    /// What is set up before a request.
    package enum Security: String, Sendable, CaseIterable {
        case none
        case tls12 = "tls1.2"
        case tls13 = "tls1.3"
    }

    /// Makes a transport.
    package init(kind: Kind = .tcp, security: Security = .tls13) {
        self.kind = kind
        self.security = security
    }
}

/// The simulated server.
package struct ServerPart: Equatable, Sendable {
    /// The server file it was made from; empty if it is written out in place.
    package var name: String
    /// How it behaves.
    package var configuration: ServerConfiguration

    /// Makes a part.
    package init(name: String = "", configuration: ServerConfiguration = .init()) {
        self.name = name
        self.configuration = configuration
    }
}
