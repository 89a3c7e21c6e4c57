#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// Reads pcapng: sections in either byte order, several interfaces, any time resolution.
///
/// draft-ietf-opsawg-pcapng. Memory: one block. Unknown blocks and options are skipped; damage ends
/// the reading with what was read so far.
struct BlockCaptureReader {
    let path: String

    /// No block is larger; a larger length is taken for damage.
    private static let largestBlock = 64 << 20

    func read(_ visitor: any CaptureVisitor) throws(CaptureError) -> CaptureFile.Ending {
        guard let file = fopen(path, "rb") else {
            throw CaptureError(
                path: path,
                "the file cannot be opened",
                remedy: "check its rights",
                kind: .missing
            )
        }
        defer { fclose(file) }
        setvbuf(file, nil, _IOFBF, 1 << 18)
        var status = stat()
        let size = fstat(fileno(file), &status) == 0 ? Int64(status.st_size) : .max
        var section = BlockSection()
        var ending = CaptureFile.Ending()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var read: Int64 = 0
        var blocks = 0
        while true {
            let count = fread(&buffer, 1, 12, file)
            if count == 0 { return ending }
            guard count == 12 else {
                ending.truncation = "the file ends within a block"
                return ending
            }
            guard let length = section.begin(buffer), length >= 12, length % 4 == 0,
                length <= Self.largestBlock
            else {
                guard blocks > 0 else {
                    throw CaptureError(
                        path: path,
                        "the first block is damaged",
                        remedy: "check that the capture was written to its end"
                    )
                }
                ending.truncation = "a block is damaged"
                return ending
            }
            // A damaged length must not cost memory that the file cannot fill.
            guard read + Int64(length) <= size else {
                ending.truncation = "the file ends within a block"
                return ending
            }
            if buffer.count < length {
                buffer.append(contentsOf: repeatElement(0, count: length - buffer.count))
            }
            let rest = length - 12
            let got = buffer.withUnsafeMutableBytes { bytes -> Int in
                guard rest > 0, let base = bytes.baseAddress else { return 0 }
                return fread(base + 12, 1, rest, file)
            }
            guard got == rest else {
                ending.truncation = "the file ends within a block"
                return ending
            }
            read += Int64(length)
            blocks += 1
            buffer.withUnsafeBytes { bytes in
                let block = UnsafeRawBufferPointer(rebasing: bytes[..<length])
                ending.frames += section.take(block, visitor)
            }
            if blocks & 0x3FFF == 0 { visitor.visitProgress(bytes: read) }
        }
    }
}
