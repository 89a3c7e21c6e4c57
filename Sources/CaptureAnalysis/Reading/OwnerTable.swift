import PacketCapture

/// What a packet is charged to: a host, and a request path on it where one can be seen.
package struct TrafficOwner: Hashable, Sendable, Comparable {
    /// The host's name, or its address.
    package var host: String
    /// Method and path without its query; empty where it cannot be seen.
    package var path: String

    /// Makes an owner.
    package init(host: String, path: String = "") {
        self.host = host
        self.path = path
    }

    /// Orders by host, then by path.
    package static func < (left: TrafficOwner, right: TrafficOwner) -> Bool {
        (left.host, left.path) < (right.host, right.path)
    }
}

/// Owners by number.
///
/// A number's owner may become known only after its first packets.
struct OwnerTable {
    private(set) var owners: [TrafficOwner] = []

    mutating func add(_ owner: TrafficOwner) -> Int32 {
        owners.append(owner)
        return Int32(owners.count - 1)
    }

    mutating func rename(_ number: Int32, _ owner: TrafficOwner) {
        owners[Int(number)] = owner
    }

    subscript(number: Int32) -> TrafficOwner { owners[Int(number)] }
}
