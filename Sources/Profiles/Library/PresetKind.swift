/// The kinds of preset files, each a folder under `profiles/`.
package enum PresetKind: String, Sendable, CaseIterable {
    case devices
    case radios
    case networks
    case servers
    case os
    case clients
    case budgets

    /// What one of them is called in messages.
    package var noun: String {
        switch self {
        case .devices: "device"
        case .radios: "radio"
        case .networks: "network"
        case .servers: "server"
        case .os: "operating system"
        case .clients: "client"
        case .budgets: "budget pack"
        }
    }
}
