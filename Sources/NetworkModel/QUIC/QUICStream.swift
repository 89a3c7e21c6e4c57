/// One bidirectional stream at one end: bytes only, what they mean is the user's.
final class QUICStream {
    /// Counted from one; zero stands for the control streams of HTTP/3 together (RFC 9114, 6.2.1).
    let number: Int
    var sending = QUICSendBuffer()
    var receiving = QUICReceiveBuffer()
    /// The offset up to which the peer takes bytes.
    var peerLimit: Int64
    /// The offset up to which this end said that it takes bytes.
    var announcedLimit: Int64
    /// Bytes that the user has taken.
    var consumed: Int64 = 0
    var told: Int64 = 0
    /// When bytes last arrived behind a gap; nil if none did.
    var gapArrivalAt: Int64?
    var hasToldEnd = false
    /// This end has given it up.
    var isReset = false
    /// The peer has, and said how much it had sent.
    var isPeerReset = false

    init(_ number: Int, window: Int64) {
        self.number = number
        peerLimit = window
        announcedLimit = window
    }

    /// Whether nothing will happen on it any more.
    var isDone: Bool {
        isReset ? isPeerReset : sending.isDone && receiving.isWhole && hasToldEnd
    }
}
