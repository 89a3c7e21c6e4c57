import PacketCapture
import Testing

/// Frames of every link type, built by hand.
@Suite struct FrameDecoderTests {
    private typealias F = FrameBytes

    private func expectTCP(_ packet: DecodedPacket?, size: Int = 43) throws {
        let packet = try #require(packet)
        #expect(packet.source.description == "192.0.2.1")
        #expect(packet.destination.description == "198.51.100.2")
        #expect(packet.isTCP)
        #expect(packet.sourcePort == 40_000 && packet.destinationPort == 443)
        #expect(packet.sequence == 7 && packet.acknowledgement == 9)
        #expect(packet.window == 1_024 && packet.flags == 0x18)
        #expect(packet.size == size)
        #expect(packet.payloadLength == size - 40)
    }

    @Test func `plain link types carry the packet behind their header`() throws {
        let ip = F.tcp4()
        try expectTCP(F.decode(ip, .raw))
        try expectTCP(F.decode(ip, .ipv4))
        try expectTCP(F.decode([2, 0, 0, 0] + ip, .null))
        try expectTCP(F.decode([0, 0, 0, 2] + ip, .loop))
        try expectTCP(F.decode(F.macs + [0x08, 0x00] + ip, .ethernet))
        try expectTCP(F.decode([0xFF, 0x03, 0x00, 0x21] + ip, .ppp))
        try expectTCP(F.decode([0x21] + ip, .ppp))
        try expectTCP(F.decode([0x11, 0, 0, 1, 0, 45] + [0x00, 0x21] + ip, .pppEthernet))
    }

    @Test func `VLAN tags and PPPoE are looked behind`() throws {
        let ip = F.tcp4()
        try expectTCP(F.decode(F.macs + [0x81, 0, 0, 5, 0x08, 0] + ip, .ethernet))
        try expectTCP(
            F.decode(F.macs + [0x88, 0xA8, 0, 5, 0x81, 0, 0, 6, 0x08, 0] + ip, .ethernet)
        )
        try expectTCP(
            F.decode(F.macs + [0x88, 0x64, 0x11, 0, 0, 1, 0, 45, 0, 0x21] + ip, .ethernet)
        )
    }

    @Test func `Linux cooked captures tell the direction`() throws {
        let ip = F.tcp4()
        let first = F.decode(
            [0, 4, 0, 1, 0, 6] + [1, 2, 3, 4, 5, 6, 0, 0] + [0x08, 0] + ip,
            .linuxCooked
        )
        try expectTCP(first)
        #expect(first?.direction == .outbound)
        let second = F.decode(
            [0x08, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 6] + [1, 2, 3, 4, 5, 6, 0, 0] + ip,
            .linuxCooked2
        )
        try expectTCP(second)
        #expect(second?.direction == .inbound)
    }

    @Test func `data frames of 802.11 are read behind radiotap, encrypted ones are not`() throws {
        let snap: [UInt8] = [0xAA, 0xAA, 0x03, 0, 0, 0, 0x08, 0]
        let radiotap: [UInt8] = [0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let header = [0x88, 0x01, 0, 0] + Array(repeating: UInt8(1), count: 20) + [0, 0]
        let packet = F.decode(radiotap + header + snap + F.tcp4(), .radiotap)
        try expectTCP(packet)
        #expect(packet?.direction == .outbound)
        var secret = header
        secret[1] |= 0x40
        #expect(F.decode(radiotap + secret + snap + F.tcp4(), .radiotap) == nil)
        #expect(F.decode(radiotap + [0x80, 0] + header.dropFirst(2), .radiotap) == nil)
    }

    @Test func `PKTAP names the process and the direction`() throws {
        // Length 108, type 1, next link type raw, interface name, flags out, family, lengths, pid,
        // name, service class, type, unit, effective pid, effective name.
        var header = F.little(UInt32(108)) + F.little(UInt32(1)) + F.little(UInt32(101))
        header += Array("en0".utf8) + Array(repeating: 0, count: 21)
        header += F.little(UInt32(2)) + F.little(UInt32(2)) + Array(repeating: 0, count: 8)
        header += F.little(UInt32(77)) + Array("Mail".utf8) + Array(repeating: 0, count: 13)
        header += Array(repeating: 0, count: 108 - header.count)
        let packet = F.decode(header + F.tcp4(), .pktap)
        try expectTCP(packet)
        #expect(packet?.app == "Mail")
        #expect(packet?.direction == .outbound)
        try expectTCP(F.decode(header + F.tcp4(), .applePktap))
    }

    @Test func `PCAPdroid's trailer names the app and is no part of the packet`() throws {
        let name = Array("org.example.app".utf8)
        let trailer =
            [0x01, 0x07, 0x20, 0x21] + F.big(Int32(10_123)) + name
            + Array(repeating: UInt8(0), count: 20 - name.count) + [1, 2, 3, 4]
        let packet = F.decode(F.macs + [0x08, 0] + F.tcp4() + trailer, .ethernet)
        try expectTCP(packet)
        #expect(packet?.app == "org.example.app")
    }

    @Test func `IPv6 extension headers are walked`() throws {
        let packet = try #require(F.decode(F.udp6(), .ipv6))
        #expect(packet.source.description == "2001:db8::1")
        #expect(packet.isUDP && packet.destinationPort == 53)
        #expect(packet.size == 58)
        #expect(packet.payloadLength == 2)
    }

    @Test func `padding of short Ethernet frames is no part of the packet`() throws {
        // 14 + 43 = 57 bytes are padded to 60.
        try expectTCP(F.decode(F.macs + [0x08, 0] + F.tcp4() + [0, 0, 0], .ethernet))
    }

    @Test func `a truncated packet keeps the length that it had on the link`() throws {
        let whole = F.tcp4(payload: Array(repeating: 0, count: 1_000))
        let packet = try #require(F.decode(Array(whole.prefix(60)), .raw, original: 1_040))
        try expectTCP(packet, size: 1_040)
        #expect(packet.payload.count == 20)
        // Cut within the TCP header: addresses and size are still known, ports are not.
        let short = try #require(F.decode(Array(whole.prefix(22)), .raw, original: 1_040))
        #expect(short.size == 1_040 && short.sourcePort == 0)
        #expect(F.decode(Array(whole.prefix(12)), .raw, original: 1_040) == nil)
    }

    @Test func `a length of zero is what hardware will segment`() throws {
        var packet = F.tcp4()
        packet[2] = 0
        packet[3] = 0
        try expectTCP(F.decode(packet, .raw))
    }

    @Test func `a later fragment has no ports`() throws {
        var packet = F.tcp4()
        packet[7] = 1
        let decoded = try #require(F.decode(packet, .raw))
        #expect(decoded.sourcePort == 0 && decoded.size == 43)
    }

    @Test func `what carries no IP gives nothing`() {
        #expect(F.decode(F.macs + [0x08, 0x06] + Array(repeating: 0, count: 28), .ethernet) == nil)
        #expect(F.decode([], .ethernet) == nil)
        #expect(F.decode([0x10], .raw) == nil)
        #expect(F.decode(F.tcp4(), LinkType(rawValue: 9_999)) == nil)
    }
}
