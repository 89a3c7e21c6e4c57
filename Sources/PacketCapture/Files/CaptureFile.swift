#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// A capture on disk: finds out what it is and reads it from beginning to end.
package struct CaptureFile: Sendable {
    /// Where it is.
    package let path: String
    /// What it is.
    package let format: Format
    /// Its size, for progress.
    package let size: Int64

    /// What a file is, by its first bytes.
    package enum Format: Sendable {
        /// libpcap's own format, in either byte order, micro- or nanoseconds.
        case pcap
        /// Blocks.
        case pcapng
        /// JSON, as HAR is.
        case json
        /// A list of packets as text.
        case packetList
    }

    /// What reading ended with.
    package struct Ending: Equatable, Sendable {
        /// Frames that were handed over.
        package var frames = 0
        /// Why the file ended before its end; nil if it did not.
        package var truncation: String?

        /// Makes an ending.
        package init(frames: Int = 0, truncation: String? = nil) {
            self.frames = frames
            self.truncation = truncation
        }
    }

    /// Looks at a file's first bytes; throws if it is missing, empty or no capture.
    package init(path: String) throws(CaptureError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw CaptureError(
                path: path,
                "there is no such file",
                remedy: "check the path",
                kind: .missing
            )
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw CaptureError(
                path: path,
                "this is a folder",
                remedy: "name a capture file in it"
            )
        }
        guard let file = fopen(path, "rb") else {
            throw CaptureError(
                path: path,
                "the file cannot be opened",
                remedy: "check its rights",
                kind: .missing
            )
        }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: 512)
        let count = fread(&head, 1, head.count, file)
        self.path = path
        size = Int64(status.st_size)
        format = try Self.format(Array(head.prefix(count)), path: path)
    }

    /// Reads every frame in the order of the file; a cut-off file is read as far as it goes.
    package func read(_ visitor: any CaptureVisitor) throws(CaptureError) -> Ending {
        switch format {
        case .pcap: return try ClassicCaptureReader(path: path).read(visitor)
        case .pcapng: return try BlockCaptureReader(path: path).read(visitor)
        case .json, .packetList:
            throw CaptureError(
                path: path,
                "this file holds no frames",
                remedy: "read it as what it is"
            )
        }
    }

    private static func format(_ head: [UInt8], path: String) throws(CaptureError) -> Format {
        guard !head.isEmpty else {
            throw CaptureError(
                path: path,
                "the file is empty",
                remedy: "capture again; nothing was written"
            )
        }
        let magic = head.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if head.count >= 4 {
            switch magic {
            case 0xA1B2_C3D4, 0xD4C3_B2A1, 0xA1B2_3C4D, 0x4D3C_B2A1, 0xA1B2_CD34, 0x34CD_B2A1:
                return .pcap
            case 0x0A0D_0D0A:
                return .pcapng
            default:
                break
            }
        }
        if head.starts(with: [0x1F, 0x8B]) || head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            throw CaptureError(
                path: path,
                "the file is compressed",
                remedy: "unpack it first"
            )
        }
        let body = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        let first = body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        if first == UInt8(ascii: "{") { return .json }
        let text = String(decoding: head, as: UTF8.self)
        if text.hasPrefix("# trace_s=") || text.hasPrefix("t,dir,len") { return .packetList }
        throw CaptureError(
            path: path,
            "this is no capture",
            remedy: "give a pcap, pcapng or HAR file; its first bytes are none of theirs"
        )
    }
}
