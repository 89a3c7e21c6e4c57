/// What a client says about a file as it creates the upload (tus 1.0.0, Upload-Metadata).
struct UploadMetadata: Equatable {
    /// Keys and values in the order sent; values are decoded.
    var pairs: [(key: String, value: String)] = []

    /// Reads `filename d29ybGQ=,is_confidential`; nil when it is malformed.
    ///
    /// Keys are not empty, unique, ASCII without spaces and commas; values are base64, or absent.
    init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.trimmed.split(
                separator: " ",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let key = pair.first, !key.isEmpty,
                key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
                !pairs.contains(where: { $0.key == key })
            else { return nil }
            guard let bytes = Base64.decode(pair.count == 2 ? pair[1].trimmed : "") else {
                return nil
            }
            pairs.append((String(key), String(decoding: bytes, as: UTF8.self)))
        }
    }

    /// The value of the first of `keys` that is there.
    func value(ofFirst keys: [String]) -> String? {
        for key in keys {
            if let pair = pairs.first(where: { $0.key == key }) { return pair.value }
        }
        return nil
    }

    static func == (left: UploadMetadata, right: UploadMetadata) -> Bool {
        left.pairs.elementsEqual(right.pairs, by: ==)
    }
}

extension Substring {
    /// Without spaces at both ends.
    var trimmed: Substring {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}
