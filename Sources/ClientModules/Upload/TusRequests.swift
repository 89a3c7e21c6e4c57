import Foundation

/// The requests of tus 1.0 (tus.io/protocols/resumable-upload), as values.
struct TusRequests: Sendable {
    let idleTimeout: Duration

    /// POST: asks for a place for `length` bytes (creation extension).
    ///
    /// The key lets a server that honours `Idempotency-Key` answer a repeated request with the place
    /// that it made for the first.
    func creation(at endpoint: URL, length: Int64, metadata: String, key: String) -> HTTPRequest {
        request(
            "POST",
            endpoint,
            [
                HTTPHeader("Upload-Length", "\(length)"),
                HTTPHeader("Upload-Metadata", metadata),
                HTTPHeader("Idempotency-Key", "\"\(key)\""),
            ]
        )
    }

    /// HEAD: asks how much the server has.
    func query(_ location: URL) -> HTTPRequest {
        request("HEAD", location, [])
    }

    /// PATCH: sends bytes from `offset` on; the digest is the SHA-1 of them, if one is wanted.
    func append(to location: URL, offset: Int64, sha1: [UInt8]?) -> HTTPRequest {
        var headers = [
            HTTPHeader("Upload-Offset", "\(offset)"),
            HTTPHeader("Content-Type", "application/offset+octet-stream"),
        ]
        if let sha1 {
            headers.append(
                HTTPHeader("Upload-Checksum", "sha1 \(Data(sha1).base64EncodedString())")
            )
        }
        return request("PATCH", location, headers)
    }

    /// DELETE: gives the place back (termination extension).
    func termination(_ location: URL) -> HTTPRequest {
        request("DELETE", location, [])
    }

    /// The value of `Upload-Metadata`: keys in order, values in base64, the identity as `filename`.
    static func metadata(for source: UploadSource) -> String {
        var pairs = source.metadata.sorted { $0.key < $1.key }.filter { $0.key != "filename" }
        pairs.insert((key: "filename", value: source.identity), at: 0)
        return pairs.map { key, value in
            value.isEmpty ? key : "\(key) \(Data(value.utf8).base64EncodedString())"
        }.joined(separator: ",")
    }

    private func request(_ method: String, _ url: URL, _ headers: [HTTPHeader]) -> HTTPRequest {
        HTTPRequest(
            method: method,
            url: url,
            headers: [HTTPHeader("Tus-Resumable", "1.0.0")] + headers,
            idleTimeout: idleTimeout,
            purpose: "upload"
        )
    }
}
