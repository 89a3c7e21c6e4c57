import PacketCapture
import Testing

/// Addresses as text.
@Suite struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("2001:db8::1", "2001:db8::1"),
        // RFC 5952, section 4.2.2: one group of zeros is not shortened; 4.2.3: the longest run is.
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("1::", "1::"),
        ("::ffff:192.0.2.1", "::ffff:c000:201"),
        ("2001:DB8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"),
    ])
    func `an address reads and prints as RFC 5952 says`(text: String, printed: String) throws {
        let address = try #require(IPAddress(text: text))
        #expect(address.description == printed)
        #expect(IPAddress(text: printed) == address)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.-4", ":", ":::", "1::2::3", "12345::",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "g::", "1:2:3:4:5:6:7:8::", "example.org",
    ])
    func `what is no address is refused`(text: String) {
        #expect(IPAddress(text: text) == nil)
    }
}
