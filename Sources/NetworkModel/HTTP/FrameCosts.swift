import HTTPVocabulary

/// What HTTP/2 puts on the wire (RFC 9113), and how small it makes heads (RFC 7541).
enum FrameCosts {
    /// Each frame's header (RFC 9113, 4.1).
    static let header = 9
    /// A frame's payload at most, unless the peers agree on more (RFC 9113, 4.2).
    static let largestPayload = 16_384
    /// The client's preface of 24 bytes and its SETTINGS and WINDOW_UPDATE, about 50 (assumption).
    static let clientPreface = 74
    /// The server's SETTINGS and the acknowledgement of the client's (assumption).
    static let serverPreface = 45
    /// RST_STREAM: a header and four bytes (RFC 9113, 6.4).
    static let reset = 13
    /// Streams at once; the least that RFC 9113, 5.1.2 recommends.
    static let largestConcurrency = 100

    /// Bytes of a head of `size` bytes in HTTP/1.1, packed.
    ///
    /// 60 % for the first on a connection, 25 % later, when names and values are in the table; both
    /// are assumptions.
    static func head(of size: Int, isFirst: Bool) -> Int {
        header + (isFirst ? size * 3 / 5 : size / 4)
    }
}
