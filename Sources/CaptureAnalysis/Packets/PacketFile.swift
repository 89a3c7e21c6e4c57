import Foundation
import PacketCapture

/// Packets in a temporary file without a name: it is gone when the last reader is, or the process.
///
/// Written once, then only read, from any thread.
final class PacketFile: Sendable {
    /// How many packets it holds.
    let count: Int
    private let descriptor: Int32

    /// Takes over a descriptor that holds so many packets and is written no more.
    fileprivate init(descriptor: Int32, count: Int) {
        self.descriptor = descriptor
        self.count = count
    }

    deinit {
        close(descriptor)
    }

    /// One packet.
    func packet(at index: Int) -> TrafficPacket {
        var packets: [TrafficPacket] = []
        read(index..<(index + 1), into: &packets)
        return packets[0]
    }

    /// Replaces what `packets` holds by a part of the file.
    func read(_ range: Range<Int>, into packets: inout [TrafficPacket]) {
        let stride = MemoryLayout<TrafficPacket>.stride
        packets = Array(unsafeUninitializedCapacity: range.count) { buffer, filled in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            var done = 0
            while done < range.count * stride {
                let count = pread(
                    descriptor,
                    bytes.baseAddress.map { $0 + done },
                    range.count * stride - done,
                    off_t(range.lowerBound * stride + done)
                )
                if count < 0, errno == EINTR { continue }
                // Our own file, open and written in full: it can only fail where the disk does.
                precondition(count > 0, "the temporary file of packets cannot be read: \(errno)")
                done += count
            }
            filled = range.count
        }
    }

    /// Writes a `PacketFile`.
    struct Writer: ~Copyable {
        private let descriptor: Int32
        private var count = 0
        private var isHandedOver = false

        /// Makes the file, where temporary files belong if nothing is said; throws what the system says.
        init(
            in folder: String = FileManager.default.temporaryDirectory.path
        ) throws(PacketFileError) {
            var template = Array("\(folder)/onebar-packets-XXXXXX".utf8CString)
            descriptor = mkstemp(&template)
            guard descriptor >= 0 else { throw PacketFileError(errno) }
            unlink(&template)
        }

        deinit {
            if !isHandedOver { close(descriptor) }
        }

        /// Appends packets; throws what the system says, such as that the disk is full.
        mutating func append(_ packets: [TrafficPacket]) throws(PacketFileError) {
            let failure = packets.withUnsafeBytes { bytes -> Int32? in
                var done = 0
                while done < bytes.count {
                    let written = write(
                        descriptor,
                        bytes.baseAddress.map { $0 + done },
                        bytes.count - done
                    )
                    if written < 0, errno == EINTR { continue }
                    guard written > 0 else { return errno }
                    done += written
                }
                return nil
            }
            if let failure { throw PacketFileError(failure) }
            count += packets.count
        }

        /// Ends the writing.
        mutating func finish() -> PacketFile {
            isHandedOver = true
            return PacketFile(descriptor: descriptor, count: count)
        }
    }
}

/// Why packets could not be put into a temporary file.
struct PacketFileError: Error, CustomStringConvertible {
    private let number: Int32

    fileprivate init(_ number: Int32) {
        self.number = number
    }

    var description: String { String(cString: strerror(number)) }

    /// What to tell the user whose capture it was.
    func asCaptureError(_ path: String) -> CaptureError {
        CaptureError(
            path: path,
            "its packets cannot be put into a temporary file: \(self)",
            remedy: "free 72 bytes a packet in \(FileManager.default.temporaryDirectory.path), "
                + "or name another folder in TMPDIR",
            kind: .unwritable
        )
    }
}
