/// What precedes the IP header in a frame: numbers of the tcpdump.org link-type registry.
package struct LinkType: RawRepresentable, Hashable, Sendable {
    /// The registry's number.
    package var rawValue: Int32

    /// Makes a link type of any number.
    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// BSD loopback, family in the writer's byte order.
    package static let null = LinkType(rawValue: 0)
    /// Ethernet.
    package static let ethernet = LinkType(rawValue: 1)
    /// PPP.
    package static let ppp = LinkType(rawValue: 9)
    /// PPP in HDLC-like framing.
    package static let pppHDLC = LinkType(rawValue: 50)
    /// PPP over Ethernet, session stage.
    package static let pppEthernet = LinkType(rawValue: 51)
    /// IP without anything before it.
    package static let raw = LinkType(rawValue: 101)
    /// 802.11 without radiotap.
    package static let wifi = LinkType(rawValue: 105)
    /// OpenBSD loopback, family in network byte order.
    package static let loop = LinkType(rawValue: 108)
    /// Linux cooked, version 1.
    package static let linuxCooked = LinkType(rawValue: 113)
    /// 802.11 behind a radiotap header.
    package static let radiotap = LinkType(rawValue: 127)
    /// IPv4 without anything before it.
    package static let ipv4 = LinkType(rawValue: 228)
    /// IPv6 without anything before it.
    package static let ipv6 = LinkType(rawValue: 229)
    /// Apple's PKTAP.
    package static let pktap = LinkType(rawValue: 258)
    /// Linux cooked, version 2.
    package static let linuxCooked2 = LinkType(rawValue: 276)
    /// What Apple's tools wrote for PKTAP before it had a number.
    package static let applePktap = LinkType(rawValue: 149)
    /// Raw IP as BSD and OpenBSD number it in their own captures.
    package static let rawBSD = LinkType(rawValue: 12)
    /// Raw IP as OpenBSD numbers it.
    package static let rawOpenBSD = LinkType(rawValue: 14)
}
