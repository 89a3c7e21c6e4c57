/// One TCP connection: the phone's end and the server's.
final class TCPConnection {
    let number: Int64 = 0
    var owner = ""
    var isSevered = false
    var isPortal = false
    func deliver(_ packet: Packet, toPhone: Bool) {}
    func addressLost() {}
}
