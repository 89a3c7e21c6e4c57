import PacketCapture

/// What a DNS message asks and answers (RFC 1035, section 4).
struct NameAnswer {
    /// The name that was asked for, in lower case.
    var name: String
    /// Addresses of the answers.
    var addresses: [IPAddress]

    /// Reads a message; nil if it is none.
    ///
    /// Compressed names are skipped, not followed.
    init?(_ payload: UnsafeRawBufferPointer) {
        let short = { (index: Int) -> Int? in
            guard index >= 0, index + 1 < payload.count else { return nil }
            return Int(payload[index]) << 8 | Int(payload[index + 1])
        }
        guard let questions = short(4), questions == 1, let answers = short(6) else { return nil }
        var offset = 12
        var labels: [String] = []
        while offset < payload.count, payload[offset] != 0 {
            let length = Int(payload[offset])
            guard length < 64, offset + 1 + length < payload.count, labels.count < 32 else {
                return nil
            }
            let label = payload[(offset + 1)..<(offset + 1 + length)]
            labels.append(String(decoding: label, as: UTF8.self).lowercased())
            offset += 1 + length
        }
        guard !labels.isEmpty else { return nil }
        name = PayloadReader.printable(labels.joined(separator: "."))
        addresses = []
        offset += 5
        for _ in 0..<min(answers, 64) {
            guard let after = Self.endOfName(payload, offset), let type = short(after),
                let length = short(after + 8)
            else { return }
            let data = after + 10
            guard data + length <= payload.count else { return }
            if type == 1, length == 4 {
                let value = payload[data..<(data + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                addresses.append(IPAddress(ipv4: value))
            } else if type == 28, length == 16 {
                let high = payload[data..<(data + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                let low = payload[(data + 8)..<(data + 16)].reduce(UInt64(0)) {
                    $0 << 8 | UInt64($1)
                }
                addresses.append(IPAddress(high: high, low: low))
            }
            offset = data + length
        }
    }

    private static func endOfName(_ payload: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var offset = start
        while offset < payload.count {
            let length = Int(payload[offset])
            if length == 0 { return offset + 1 }
            if length >= 0xC0 { return offset + 2 }
            guard length < 64 else { return nil }
            offset += 1 + length
        }
        return nil
    }
}
