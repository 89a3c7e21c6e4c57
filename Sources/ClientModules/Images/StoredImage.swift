import Foundation

/// An encoded picture as the disk tier keeps it, with what is needed to ask for it again.
struct StoredImage: Sendable, Equatable {
    /// Where it came from.
    var address: String
    /// The server's name for this version (ETag); empty if it gave none.
    var validator: String
    /// When it was last known to be current: milliseconds since 1970.
    var checkedAt: Int64
    /// How long it is good for after that, in milliseconds.
    var lifetime: Int64
    /// The file.
    var encoded: Data

    /// Whether it may be shown without asking.
    ///
    /// A wall clock that went back makes nothing older: then it was checked just now.
    func isFresh(at wall: Int64) -> Bool {
        max(0, wall - checkedAt) < lifetime
    }
}

/// The file of a stored picture: a magic number, a checksum and the length of the rest, the rest.
///
/// Whatever a kill or a loss of power tears off or swaps, the length or the checksum tells.
enum StoredImageFile {
    private static let magic: UInt64 = 0x314D_4952_4142_4E4F

    /// Bytes before the rest.
    static let headerSize = 20

    static func write(_ image: StoredImage) -> Data {
        var rest = Data()
        rest.reserveCapacity(image.encoded.count + image.address.utf8.count + 128)
        append(image.checkedAt, to: &rest)
        append(image.lifetime, to: &rest)
        for text in [image.address, image.validator] {
            append(UInt32(text.utf8.count), to: &rest)
            rest.append(contentsOf: text.utf8)
        }
        rest.append(image.encoded)
        var file = Data()
        file.reserveCapacity(rest.count + headerSize)
        append(magic, to: &file)
        append(rest.withUnsafeBytes { Checksum32.of($0) }, to: &file)
        append(UInt64(rest.count), to: &file)
        file.append(rest)
        return file
    }

    /// What was written; nil for anything else.
    static func read(_ file: Data) -> StoredImage? {
        var position = file.startIndex
        guard take(UInt64.self, of: file, at: &position) == magic,
            let checksum = take(UInt32.self, of: file, at: &position),
            let length = take(UInt64.self, of: file, at: &position),
            length == UInt64(file.endIndex - position)
        else { return nil }
        let actual = file[position...].withUnsafeBytes { Checksum32.of($0) }
        guard actual == checksum,
            let checkedAt = take(Int64.self, of: file, at: &position),
            let lifetime = take(Int64.self, of: file, at: &position),
            let address = takeText(of: file, at: &position),
            let validator = takeText(of: file, at: &position)
        else { return nil }
        return StoredImage(
            address: address,
            validator: validator,
            checkedAt: checkedAt,
            lifetime: lifetime,
            encoded: Data(file[position...])
        )
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    private static func take<Number: FixedWidthInteger>(
        _ type: Number.Type,
        of data: Data,
        at position: inout Data.Index
    ) -> Number? {
        let size = MemoryLayout<Number>.size
        guard data.endIndex - position >= size else { return nil }
        var number: Number = 0
        withUnsafeMutableBytes(of: &number) { bytes in
            _ = data.copyBytes(to: bytes, from: position..<position + size)
        }
        position += size
        return Number(littleEndian: number)
    }

    private static func takeText(of data: Data, at position: inout Data.Index) -> String? {
        guard let count = take(UInt32.self, of: data, at: &position),
            data.endIndex - position >= Int(count)
        else { return nil }
        defer { position += Int(count) }
        return String(decoding: data[position..<position + Int(count)], as: UTF8.self)
    }
}
