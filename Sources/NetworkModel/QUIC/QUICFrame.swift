/// What a QUIC packet carries (RFC 9000, 19), as far as the model needs it.
enum QUICFrame {
    /// Numbers of packets that arrived, ascending, and how long the answer was held back (ns).
    case acknowledgement([Range<Int64>], delay: Int64)
    /// A piece of the TLS handshake.
    case crypto(Range<Int64>)
    /// A piece of a stream; the last one ends it.
    case stream(Int, Range<Int64>, isLast: Bool)
    /// A stream is given up, both ways: RESET_STREAM with the bytes that were sent, and STOP_SENDING.
    case resetStream(Int, length: Int64)
    case maxData(Int64)
    case maxStreamData(Int, Int64)
    case ping
    case pathChallenge(Int)
    case pathResponse(Int)
    /// Three NEW_CONNECTION_ID frames, so that a client may migrate.
    case connectionIDs
    case handshakeDone
    case padding(Int)
    case close(QUICCloseCode)

    /// Whether the peer has to acknowledge it (RFC 9000, 13.2): all but ACK, PADDING and CONNECTION_CLOSE.
    var isAckEliciting: Bool {
        switch self {
        case .acknowledgement, .padding, .close: false
        default: true
        }
    }

    /// Whether it may go ahead of a migration without causing one (RFC 9000, 9.1).
    var isProbing: Bool {
        switch self {
        case .pathChallenge, .pathResponse, .connectionIDs, .padding: true
        default: false
        }
    }

    /// Bytes on the wire.
    var size: Int {
        switch self {
        case .acknowledgement(let ranges, let delay):
            return Self.acknowledgementSize(ranges, delay: delay)
        case .crypto(let range):
            return Self.cryptoHeader(range.lowerBound) + range.count
        case .stream(let number, let range, _):
            return Self.streamHeader(number, range.lowerBound) + range.count
        case .resetStream(let number, let length):
            // Type, stream, code of two, final size; type, stream, code of two (19.4, 19.5).
            return 6 + 2 * Self.variableSize(Int64(number) * 4) + Self.variableSize(length)
        case .maxData(let limit):
            return 1 + Self.variableSize(limit)
        case .maxStreamData(let number, let limit):
            return 1 + Self.variableSize(Int64(number) * 4) + Self.variableSize(limit)
        case .ping, .handshakeDone:
            return 1
        case .pathChallenge, .pathResponse:
            return 9
        case .connectionIDs:
            // Type, sequence, retire prior to, length, ID of 8, reset token of 16 (19.15).
            return 3 * 28
        case .padding(let count):
            return count
        case .close:
            // Type, code, frame type, length of the reason; no reason (19.19).
            return 4
        }
    }

    /// Bytes of a CRYPTO frame before its data; the length takes two.
    static func cryptoHeader(_ offset: Int64) -> Int {
        1 + variableSize(offset) + 2
    }

    /// Bytes of a STREAM frame before its data; the length takes two.
    static func streamHeader(_ number: Int, _ offset: Int64) -> Int {
        1 + variableSize(Int64(number) * 4) + (offset > 0 ? variableSize(offset) : 0) + 2
    }

    private static func acknowledgementSize(_ ranges: [Range<Int64>], delay: Int64) -> Int {
        guard let last = ranges.last else { return 0 }
        // Largest, delay in units of 8 microseconds (the default exponent of 3), count, first range.
        var size = 1 + variableSize(last.upperBound - 1) + variableSize(delay / 8_000)
        size += variableSize(Int64(ranges.count - 1)) + variableSize(Int64(last.count - 1))
        for index in ranges.indices.dropLast() {
            let gap = ranges[index + 1].lowerBound - ranges[index].upperBound - 1
            size += variableSize(max(0, gap)) + variableSize(Int64(ranges[index].count - 1))
        }
        return size
    }

    /// Bytes of a variable-length integer (RFC 9000, 16).
    static func variableSize(_ value: Int64) -> Int {
        value < 64 ? 1 : value < 16_384 ? 2 : value < 1_073_741_824 ? 4 : 8
    }
}

/// Why an end closes a connection (RFC 9000, 20).
enum QUICCloseCode {
    /// NO_ERROR, or H3_NO_ERROR.
    case finished
    /// The application broke off.
    case aborted
    /// CONNECTION_REFUSED.
    case refused
}
