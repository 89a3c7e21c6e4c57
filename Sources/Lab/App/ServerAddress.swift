import Foundation

/// The host that the lab's server answers for; `.test` is reserved for this (RFC 6761).
package struct ServerAddress: Sendable, Equatable {
    /// The host's name.
    package let host: String

    /// The only server of a world.
    package static let standard = ServerAddress(host: "api.onebar.test")

    /// The root of its addresses.
    package var root: URL { url("/") }

    /// An address of the server; traps on a path that is none.
    package func url(_ path: String) -> URL {
        guard let url = URL(string: "https://\(host)\(path)") else {
            preconditionFailure("'\(path)' is no path")
        }
        return url
    }
}
