/// What encryption costs on the wire: flights of the handshake, and overhead of each record.
///
/// The order of flights is that of RFC 8446 (TLS 1.3) and RFC 5246 (TLS 1.2). Sizes are assumptions
/// for a server with an ECDSA certificate and one intermediate, within the usual 2 to 4 kB.
struct SecurityCosts: Sendable {
    /// Bytes of each flight: the client's, the server's, the client's, and so on.
    let flights: [Int]
    /// Flights of the server that the client awaits before it may send a request.
    let awaitedServerFlights: Int
    /// Session tickets that the server sends after the handshake; the client waits for none.
    let tickets: Int
    /// Bytes that each record adds.
    let recordOverhead: Int
    /// The name that observations carry.
    let name: String
    /// Whether the request goes with the first flight (RFC 8446, 2.3).
    let isEarly: Bool

    /// Plain text of a record at most (RFC 8446, 5.1).
    static let largestRecord = 16_384

    init(_ security: TransportSecurity, isResumed: Bool, isEarly: Bool) {
        self.isEarly = isEarly && isResumed && security == .tls13
        switch security {
        case .none:
            flights = []
            awaitedServerFlights = 0
            tickets = 0
            recordOverhead = 0
            name = "none"
        case .tls13:
            // ClientHello (padded, as browsers send it); ServerHello to Finished; Finished.
            flights = isResumed ? [700, 220, 80] : [517, 3_000, 80]
            awaitedServerFlights = 1
            tickets = 500
            // 5 of header, 1 of content type, 16 of authentication tag (RFC 8446, 5.2).
            recordOverhead = 22
            name = self.isEarly ? "tls1.3-0rtt" : isResumed ? "tls1.3-resumed" : "tls1.3"
        case .tls12:
            // Full: hello; certificate to done; key exchange to Finished; ticket and Finished.
            flights = isResumed ? [450, 140, 51] : [250, 3_100, 126, 250]
            awaitedServerFlights = isResumed ? 1 : 2
            tickets = 0
            // 5 of header, 8 of explicit nonce, 16 of tag (RFC 5288).
            recordOverhead = 29
            name = "tls1.2"
        }
    }

    /// Bytes on the wire of `length` bytes of meaning.
    func wireSize(of length: Int) -> Int {
        let records = (length + Self.largestRecord - 1) / Self.largestRecord
        return length + records * recordOverhead
    }
}
