/// Finds host names and request paths in payloads: HTTP/1, TLS, DNS.
///
/// Nothing else of a payload is kept: no query, no header but `Host`, no body.
enum PayloadReader {
    private static let methods = [
        "GET ", "POST ", "PUT ", "HEAD ", "PATCH ", "DELETE ", "OPTIONS ", "CONNECT ",
    ]
    /// More of a request's head is not looked at.
    private static let longestHead = 4_096

    /// Method, path without query, and host of an HTTP/1 request that begins here.
    static func request(
        _ payload: UnsafeRawBufferPointer
    ) -> (method: String, path: String, host: String?)? {
        guard payload.count >= 16, let first = payload.first, first >= 0x43, first <= 0x50 else {
            return nil
        }
        let start = String(decoding: payload.prefix(8), as: UTF8.self)
        guard let method = methods.first(where: { start.hasPrefix($0) }) else { return nil }
        let head = payload.prefix(longestHead)
        let line = head.prefix { $0 != 0x0D && $0 != 0x0A }
        let target = line.dropFirst(method.utf8.count).prefix { $0 != 0x20 }
        // Up to the query or fragment; of an absolute target only what follows the authority.
        var path = String(
            decoding: target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") },
            as: UTF8.self
        )
        var host: String?
        if let scheme = path.firstRange(of: "://") {
            let rest = path[scheme.upperBound...]
            host = String(rest.prefix { $0 != "/" })
            path = String(rest.drop { $0 != "/" })
        }
        if let found = hostHeader(head) { host = found }
        return (String(method.dropLast()), printable(path), host.map(printable))
    }

    private static func hostHeader(_ head: Slice<UnsafeRawBufferPointer>) -> String? {
        var rest = head
        while let end = rest.firstIndex(of: 0x0A) {
            let line = rest[end...].dropFirst().prefix { $0 != 0x0D && $0 != 0x0A }
            guard !line.isEmpty else { return nil }
            if line.count > 5,
                String(decoding: line.prefix(5), as: UTF8.self).lowercased() == "host:"
            {
                let value = String(decoding: line.dropFirst(5), as: UTF8.self)
                return String(value.drop { $0 == " " }.prefix { $0 != " " })
            }
            rest = rest[end...].dropFirst()
        }
        return nil
    }

    /// The server name of a TLS ClientHello (RFC 8446 4.1.2, RFC 6066 3).
    static func serverName(_ payload: UnsafeRawBufferPointer) -> String? {
        let byte = { (index: Int) -> Int? in index < payload.count ? Int(payload[index]) : nil }
        let short = { (index: Int) -> Int? in
            guard let high = byte(index), let low = byte(index + 1) else { return nil }
            return high << 8 | low
        }
        guard byte(0) == 0x16, byte(1) == 0x03, byte(5) == 0x01 else { return nil }
        var offset = 43
        guard let session = byte(offset) else { return nil }
        offset += 1 + session
        guard let ciphers = short(offset) else { return nil }
        offset += 2 + ciphers
        guard let compression = byte(offset) else { return nil }
        offset += 1 + compression
        guard let extensions = short(offset) else { return nil }
        offset += 2
        let end = offset + extensions
        while offset + 4 <= end, let type = short(offset), let length = short(offset + 2) {
            offset += 4
            if type == 0 {
                guard byte(offset + 2) == 0, let count = short(offset + 3), count > 0,
                    offset + 5 + count <= payload.count
                else { return nil }
                let name = payload[(offset + 5)..<(offset + 5 + count)]
                return printable(String(decoding: name, as: UTF8.self))
            }
            offset += length
        }
        return nil
    }

    /// Letters, digits and what may stand in host names and paths; the rest becomes a question mark.
    static func printable(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(200) {
            let isPlain =
                scalar.value > 0x20 && scalar.value < 0x7F && scalar != "\"" && scalar != "<"
            result.unicodeScalars.append(isPlain ? scalar : "?")
        }
        return result
    }
}
