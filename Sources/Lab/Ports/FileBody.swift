import NetworkModel
import SQLiteStore

/// A request body that lies in a file of the phone and is read as the socket takes it.
final class FileBody: RequestBodySource {
    private let file: (any StoredFile)?
    private let range: Range<Int64>

    init(files: any FileStore, path: String, range: Range<Int64>) {
        file = try? files.open(path, create: false)
        self.range = range
    }

    var length: Int { Int(range.upperBound - range.lowerBound) }

    func read(_ part: Range<Int>) -> [UInt8]? {
        guard let file else { return nil }
        let offset = range.lowerBound + Int64(part.lowerBound)
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: part.count) { buffer, count in
            let read = try? file.read(
                into: UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[..<part.count]
                ),
                at: offset
            )
            isWhole = read == part.count
            count = read ?? 0
        }
        return isWhole ? bytes : nil
    }
}
