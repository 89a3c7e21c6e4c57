import Quantities

/// Packets that belong together, what they were for, and what they cost.
package struct Burst: Equatable, Sendable {
    /// Index of the first packet.
    package var first: Int
    /// Index of the last packet.
    package var last: Int
    /// Nanoseconds of the first packet.
    package var start: Int64
    /// Nanoseconds of the last packet.
    package var end: Int64
    /// Transport payload of all packets.
    package var payload: Int64
    /// What it was for.
    package var category: Category
    /// Whether more than five seconds pass before the next one, or none follows.
    package var isFollowedByLongGap: Bool
    /// Energy from its first packet (the first burst: from zero) to the next burst's first packet.
    package var energy = Energy.zero
    /// The part of `energy` drawn in tails.
    package var tailEnergy = Energy.zero
    /// Time in active states and in the tail that the tools count as active.
    package var active = Duration.zero

    /// How many packets.
    package var packets: Int { last - first + 1 }

    /// What a burst was for, by the published tools' rules.
    package enum Category: String, Sendable, CaseIterable {
        /// Over five seconds and over 100,000 bytes.
        case long = "LONG"
        /// Opening, closing, resetting, keeping alive.
        case tcpProtocol = "TCP_PROTOCOL"
        /// Repairs of what was lost.
        case tcpLossOrDuplicate = "TCP_LOSS_OR_DUP"
        /// The network came first: a server's delay or a push.
        case serverNetworkDelay = "SERVER_NET_DELAY"
        /// The app came first.
        case clientApp = "CLIENT_APP"
        /// The app, again and again at the same interval.
        case periodical = "PERIODICAL"
        /// Nothing that can be named.
        case unknown = "UNKNOWN"
    }
}
