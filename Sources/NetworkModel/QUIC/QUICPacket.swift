import Trace

/// The three spaces that packets are numbered in (RFC 9000, 12.3).
enum QUICSpaceName: Int, CaseIterable {
    case initial
    case handshake
    case application
}

/// One QUIC packet: what it carries, and its size with header and tag.
struct QUICPacket {
    var space: QUICSpaceName
    /// In the application's space, sent before the handshake is done (a long header).
    var isEarly = false
    var number: Int64
    var frames: [QUICFrame] = []
    var size: Int

    /// Connection IDs are 8 bytes both ways (assumption); the longest allowed is 20.
    static let connectionID = 8
    /// The authentication tag of each packet (RFC 9001, 5.3).
    static let tag = 16

    /// Bytes beside the frames; packet numbers take two.
    static func overhead(_ space: QUICSpaceName, isEarly: Bool) -> Int {
        switch space {
        // First byte, version, two IDs with lengths, token length, length, number, tag (17.2.2).
        case .initial: 1 + 4 + 2 * (1 + connectionID) + 1 + 2 + 2 + tag
        // The same without a token (17.2.3, 17.2.4).
        case .handshake: 1 + 4 + 2 * (1 + connectionID) + 2 + 2 + tag
        // First byte, one ID, number, tag (17.3.1).
        case .application:
            isEarly ? 1 + 4 + 2 * (1 + connectionID) + 2 + 2 + tag : 1 + connectionID + 2 + tag
        }
    }

    var isAckEliciting: Bool { frames.contains { $0.isAckEliciting } }
    /// Counts for congestion control (RFC 9002, 2): also what only has padding.
    var isInFlight: Bool {
        frames.contains {
            if case .padding = $0 { true } else { $0.isAckEliciting }
        }
    }
    /// Whether it moves the peer's end of the path (RFC 9000, 9.2).
    var isProbing: Bool { frames.allSatisfy(\.isProbing) }
}

/// One UDP datagram: packets of several spaces, coalesced.
struct QUICDatagram {
    var packets: [QUICPacket] = []
    /// A stateless reset (RFC 9000, 10.3): looks like a packet, and says that the peer knows nothing.
    var isStatelessReset = false
    /// Carries stream or handshake bytes that were sent before.
    var isRetransmission = false
    /// Bytes of streams and of the handshake.
    var payload = 0
    /// UDP payload.
    var size = 0

    /// IPv4 and UDP headers.
    static let headers = 28
    /// A stateless reset: smaller than what it answers, and at least 21 (10.3).
    static let resetSize = 43

    /// What a capture shows of it.
    var layout: QUICLayout {
        var layout = QUICLayout.none
        for packet in packets {
            switch packet.space {
            case .initial: layout.initial += UInt16(packet.size)
            case .handshake: layout.handshake += UInt16(packet.size)
            case .application where packet.isEarly: layout.early += UInt16(packet.size)
            case .application: layout.application += UInt16(packet.size)
            }
        }
        if isStatelessReset { layout.application = UInt16(size) }
        return layout
    }
}
