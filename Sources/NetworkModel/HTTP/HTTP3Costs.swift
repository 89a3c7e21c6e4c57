/// What HTTP/3 puts on QUIC's streams (RFC 9114), and how small it makes heads (RFC 9204).
enum HTTP3Costs {
    /// A DATA frame's header for pieces of up to 16,383 bytes: type and length (RFC 9114, 7.1).
    static let dataHeader = 3
    /// A piece of a body that is read, and handed over, at once.
    static let largestPiece = 4_096
    /// Control, encoder and decoder stream with SETTINGS: three types and about 30 bytes (assumption).
    static let clientControl = 33
    /// The server's (assumption: the same).
    static let serverControl = 33

    /// Bytes of a head of `size` bytes in HTTP/1.1; packed as `FrameCosts.head` assumes for HTTP/2.
    static func head(of size: Int, isFirst: Bool) -> Int {
        dataHeader + FrameCosts.head(of: size, isFirst: isFirst) - FrameCosts.header
    }
}
