import Quantities
import Trace

/// What a radio is used for: a packet that crosses, or activity that was declared.
package struct RadioUse: Equatable, Sendable {
    /// When the packet crosses, or activity begins.
    package var start: RadioTime
    /// When activity ends; `start` for a packet.
    package var end: RadioTime
    /// Toward or from the network.
    package var direction: PacketDirection
    /// Bytes of IP; zero for declared activity.
    package var bytes: Int64
    /// Who pays, as the caller numbers owners.
    package var owner: Int32

    /// Makes a packet.
    package init(at time: RadioTime, _ direction: PacketDirection, bytes: Int64, owner: Int32) {
        self.init(from: time, to: time, direction, bytes: bytes, owner: owner)
    }

    /// Makes activity.
    package init(
        from start: RadioTime,
        to end: RadioTime,
        _ direction: PacketDirection,
        bytes: Int64,
        owner: Int32
    ) {
        self.start = start
        self.end = end
        self.direction = direction
        self.bytes = bytes
        self.owner = owner
    }
}

/// A stretch of one state, closed, with who pays for it.
package struct RadioStretch: Equatable, Sendable {
    /// Index into the model's states.
    package var state: Int
    package var start: RadioTime
    package var end: RadioTime
    /// All of it, transfers included.
    package var energy: Energy
    /// Bytes that crossed in it, toward the network.
    package var up: Int64
    /// Bytes that crossed in it, from the network.
    package var down: Int64
    /// Who pays what, by owner number; sums to `energy`.
    package var shares: [Share]

    /// One owner's part.
    package struct Share: Equatable, Sendable {
        package var owner: Int32
        package var energy: Energy
    }
}
