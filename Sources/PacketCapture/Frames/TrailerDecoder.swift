/// The 32 bytes that PCAPdroid puts behind the IP packet of an Ethernet frame.
///
/// Magic 0x01072021, a user number, the app's name in 20 bytes, a frame check sum.
enum TrailerDecoder {
    private static let length = 32
    private static let magic: UInt32 = 0x0107_2021

    /// The app's name; nil if there is no such trailer.
    static func app(_ frame: UnsafeRawBufferPointer) -> String? {
        guard frame.count >= length else { return nil }
        let reader = ByteReader(frame, at: frame.count - length)
        guard let found = reader.peek(UInt32.self), found == magic || found.byteSwapped == magic
        else { return nil }
        return reader.text(at: 8, count: 20)
    }
}
