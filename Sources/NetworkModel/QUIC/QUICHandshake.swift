/// The TLS 1.3 messages of a QUIC handshake (RFC 9001, 4): sizes, and what the client may do when.
///
/// The same certificate as over TCP, in CRYPTO frames instead of records; see `SecurityCosts`.
struct QUICHandshake {
    /// ClientHello; with a ticket when resumed.
    let clientHello: Int64
    /// ServerHello: 2 of version, 32 random, session, cipher, key share and version extensions (RFC 8446, 4.1.3).
    static let serverHello: Int64 = 90
    /// EncryptedExtensions to Finished.
    let serverRest: Int64
    /// The client's Finished: 4 of header and a SHA-256 (RFC 8446, 4.4.4).
    static let clientFinished: Int64 = 36
    /// Session tickets.
    let tickets: Int64
    /// Whether requests go with the first flight.
    let isEarly: Bool
    /// The name that observations carry.
    let name: String

    init(_ costs: SecurityCosts, settings: QUICSettings) {
        clientHello = Int64(costs.flights[0])
        let flight = settings.serverFlight ?? costs.flights[1]
        serverRest = max(1, Int64(flight) - Self.serverHello)
        tickets = Int64(costs.tickets)
        isEarly = costs.isEarly
        name = costs.name
    }
}
