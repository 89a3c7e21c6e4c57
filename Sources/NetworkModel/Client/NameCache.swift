/// Names that were looked up on this phone.
struct NameCache {
    mutating func removeAll() {}
    func owner(ofLookup slot: Int) -> String { "" }
}
extension AccessNetwork {
    func deliverDatagram(_ packet: Packet, toPhone: Bool) {}
}
struct ArmedInterception {}

extension AccessNetwork {
    /// Arms a fault in the middle of an exchange; it fires once.
    package func intercept(_ interception: ExchangeInterception) {}
}
