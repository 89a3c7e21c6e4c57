#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// Writes pcapng: one section, little-endian, nanoseconds, several interfaces.
///
/// draft-ietf-opsawg-pcapng. Writes to a temporary name beside the file and renames it at the end, so
/// that no half-written capture is left behind.
package final class BlockCaptureWriter {
    private let path: String
    private let temporary: String
    private var file: UnsafeMutablePointer<FILE>?
    private var failed = false
    private var interfaces = 0

    /// Creates the file with its section header.
    package init(path: String, application: String, comment: String = "") throws(CaptureError) {
        self.path = path
        temporary = path + ".part"
        file = fopen(temporary, "wb")
        guard file != nil else {
            throw CaptureError(
                path: path,
                "the capture cannot be written",
                remedy: "check the folder and its rights",
                kind: .unwritable
            )
        }
        var body: [UInt8] = []
        body.appendLittle(UInt32(0x1A2B_3C4D))
        body.appendLittle(UInt16(1))
        body.appendLittle(UInt16(0))
        body.appendLittle(UInt64.max)
        if !comment.isEmpty { body.append(option: 1, text: comment) }
        body.append(option: 4, text: application)
        body.endOptions()
        write(0x0A0D_0D0A, body)
    }

    /// Adds an interface of nanosecond resolution; the answer is its number.
    package func addInterface(
        name: String,
        linkType: LinkType,
        snapLength: UInt32 = 0,
        description: String = ""
    ) -> Int {
        var body: [UInt8] = []
        body.appendLittle(UInt16(truncatingIfNeeded: linkType.rawValue))
        body.appendLittle(UInt16(0))
        body.appendLittle(snapLength)
        body.append(option: 2, text: name)
        if !description.isEmpty { body.append(option: 3, text: description) }
        body.append(option: 9, bytes: [9])
        body.endOptions()
        write(1, body)
        interfaces += 1
        return interfaces - 1
    }

    /// Adds names for addresses.
    package func addNames(_ names: [(address: IPAddress, name: String)]) {
        guard !names.isEmpty else { return }
        var body: [UInt8] = []
        for (address, name) in names {
            var record: [UInt8] = []
            if address.isIPv6 {
                record.appendBig(address.high)
                record.appendBig(address.low)
            } else {
                record.appendBig(UInt32(truncatingIfNeeded: address.low))
            }
            record += Array(name.utf8) + [0]
            body.appendLittle(UInt16(address.isIPv6 ? 2 : 1))
            body.appendLittle(UInt16(clamping: record.count))
            body += record
            body.pad()
        }
        body.appendLittle(UInt32(0))
        write(4, body)
    }

    /// Adds a frame; `originalLength` may exceed the bytes that are kept.
    package func write(
        _ bytes: [UInt8],
        originalLength: Int,
        interface: Int,
        nanoseconds: Int64,
        direction: FrameDirection? = nil,
        comment: String = ""
    ) {
        var body: [UInt8] = []
        body.reserveCapacity(bytes.count + 48)
        let time = UInt64(bitPattern: nanoseconds)
        body.appendLittle(UInt32(interface))
        body.appendLittle(UInt32(truncatingIfNeeded: time >> 32))
        body.appendLittle(UInt32(truncatingIfNeeded: time))
        body.appendLittle(UInt32(bytes.count))
        body.appendLittle(UInt32(max(originalLength, bytes.count)))
        body += bytes
        body.pad()
        if !comment.isEmpty { body.append(option: 1, text: comment) }
        if let direction {
            body.appendLittle(UInt16(2))
            body.appendLittle(UInt16(4))
            body.appendLittle(UInt32(direction == .inbound ? 1 : 2))
        }
        if !comment.isEmpty || direction != nil { body.endOptions() }
        write(6, body)
    }

    /// Adds when capturing on an interface began and ended.
    package func writeSpan(interface: Int, start: Int64, end: Int64, frames: UInt64) {
        var body: [UInt8] = []
        let ticks = { (time: Int64) -> [UInt8] in
            var value: [UInt8] = []
            value.appendLittle(UInt32(truncatingIfNeeded: UInt64(bitPattern: time) >> 32))
            value.appendLittle(UInt32(truncatingIfNeeded: UInt64(bitPattern: time)))
            return value
        }
        body.appendLittle(UInt32(interface))
        body += ticks(end)
        body.append(option: 2, bytes: ticks(start))
        body.append(option: 3, bytes: ticks(end))
        var received: [UInt8] = []
        received.appendLittle(frames)
        body.append(option: 4, bytes: received)
        body.endOptions()
        write(5, body)
    }

    /// Closes the file and gives it its name.
    package func close() throws(CaptureError) {
        guard let file else { return }
        self.file = nil
        let isFlushed = fflush(file) == 0 && ferror(file) == 0
        fclose(file)
        guard isFlushed, !failed, rename(temporary, path) == 0 else {
            unlink(temporary)
            throw CaptureError(
                path: path,
                "the capture could not be written to its end",
                remedy: "check the free space",
                kind: .unwritable
            )
        }
    }

    deinit {
        guard let file else { return }
        fclose(file)
        unlink(temporary)
    }

    private func write(_ type: UInt32, _ body: [UInt8]) {
        guard let file else { return }
        var block: [UInt8] = []
        block.reserveCapacity(body.count + 12)
        block.appendLittle(type)
        block.appendLittle(UInt32(body.count + 12))
        block += body
        block.appendLittle(UInt32(body.count + 12))
        if fwrite(block, 1, block.count, file) != block.count { failed = true }
    }
}

extension [UInt8] {
    /// Appends an integer, least byte first.
    package mutating func appendLittle<T: FixedWidthInteger>(_ value: T) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends an integer, greatest byte first.
    package mutating func appendBig<T: FixedWidthInteger>(_ value: T) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(option code: UInt16, text: String) {
        append(option: code, bytes: Array(text.utf8))
    }

    fileprivate mutating func append(option code: UInt16, bytes: [UInt8]) {
        appendLittle(code)
        appendLittle(UInt16(clamping: bytes.count))
        append(contentsOf: bytes.prefix(Int(UInt16.max)))
        pad()
    }

    fileprivate mutating func endOptions() {
        appendLittle(UInt32(0))
    }

    fileprivate mutating func pad() {
        while count % 4 != 0 { append(0) }
    }
}
