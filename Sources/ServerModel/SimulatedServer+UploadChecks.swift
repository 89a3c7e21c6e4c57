import HTTPVocabulary
import Quantities
import Trace

/// What the head of a tus request has to say, checked before its body is taken in.
extension SimulatedServer {
    /// Checks the head of a request for the upload service.
    func resolveUpload(
        _ exchange: any HTTPExchange,
        route: String
    ) -> (route: String, ServerFlight.Service) {
        let head = exchange.head
        // tus 1.0.0, X-HTTP-Method-Override: read as the method, if present.
        let method = head.fields["X-HTTP-Method-Override"] ?? head.method
        let route = method == head.method ? route : method + route.drop { $0 != " " }
        if method == "OPTIONS" { return (route, .upload(.options)) }
        guard head.fields["Tus-Resumable"] == "1.0.0" else {
            violate(
                exchange,
                route: route,
                "Tus-Resumable is missing or not 1.0.0 (tus 1.0.0, Tus-Resumable: every request "
                    + "but OPTIONS has it)"
            )
            return (
                route,
                .rejected(
                    .problem(
                        412,
                        "Tus-Resumable does not match",
                        fields: [Self.tusVersion, ("Tus-Version", "1.0.0")]
                    )
                )
            )
        }
        let check: Result<UploadOperation, TusRejection>
        if let name = uploadName(in: head.path) {
            check = checkUpload(name, method, exchange, route: route)
        } else if method == "POST" {
            check = checkCreation(exchange, route: route)
        } else {
            check = .failure(TusRejection(answer: notAllowed(["OPTIONS", "POST"])))
        }
        switch check {
        case .success(let operation):
            return (route, .upload(operation))
        case .failure(let rejection):
            var answer = rejection.answer
            answer.response.fields.append(Self.tusVersion.0, Self.tusVersion.1)
            return (route, .rejected(answer))
        }
    }

    /// An answer that ends the handling of a request.
    struct TusRejection: Error {
        var answer: ServerAnswer

        init(answer: ServerAnswer) {
            self.answer = answer
        }

        init(_ status: Int, _ title: String) {
            answer = .problem(status, title)
        }
    }

    private func checkCreation(
        _ exchange: any HTTPExchange,
        route: String
    ) -> Result<UploadOperation, TusRejection> {
        let fields = exchange.head.fields
        guard fields["Upload-Defer-Length"] == nil, fields["Upload-Concat"] == nil else {
            violate(
                exchange,
                route: route,
                "an extension was used that the server does not offer (tus 1.0.0, Tus-Extension)"
            )
            return .failure(TusRejection(400, "This extension is not offered"))
        }
        guard let length = Self.number(fields["Upload-Length"]) else {
            violate(
                exchange,
                route: route,
                "Upload-Length is missing or not a non-negative integer (tus 1.0.0, Creation)"
            )
            return .failure(TusRejection(400, "Upload-Length is missing or malformed"))
        }
        guard exchange.head.bodyLength == 0 else {
            violate(
                exchange,
                route: route,
                "a creation has a body, but creation-with-upload is not offered (tus 1.0.0, "
                    + "Creation With Upload)"
            )
            return .failure(TusRejection(400, "A creation has no body here"))
        }
        if let limit = configuration.maximumUploadSize, length > limit.bytes {
            return .failure(TusRejection(413, "The upload is longer than Tus-Max-Size"))
        }
        var identity = ""
        if let text = fields["Upload-Metadata"] {
            guard let metadata = UploadMetadata(text) else {
                violate(
                    exchange,
                    route: route,
                    "Upload-Metadata is malformed (tus 1.0.0, Upload-Metadata: pairs of a key and "
                        + "a base64 value, keys unique)"
                )
                return .failure(TusRejection(400, "Upload-Metadata is malformed"))
            }
            identity = metadata.value(ofFirst: configuration.identityMetadata) ?? ""
        }
        return .success(
            .create(length: length, metadata: fields["Upload-Metadata"], identity: identity)
        )
    }

    private func checkUpload(
        _ name: String,
        _ method: String,
        _ exchange: any HTTPExchange,
        route: String
    ) -> Result<UploadOperation, TusRejection> {
        guard ["HEAD", "PATCH", "DELETE"].contains(method) else {
            return .failure(
                TusRejection(answer: notAllowed(["OPTIONS", "HEAD", "PATCH", "DELETE"]))
            )
        }
        guard let upload = uploads[name] else {
            return .failure(TusRejection(404, "There is no such upload"))
        }
        expireIfDue(upload, exchange)
        guard upload.phase == .open || upload.phase == .complete else {
            return .failure(TusRejection(410, "The upload is gone: \(upload.phase.rawValue)"))
        }
        if let locked = checkLock(of: upload, method, exchange, route: route) {
            return .failure(locked)
        }
        switch method {
        case "HEAD":
            return .success(.head(upload))
        case "DELETE":
            return .success(.terminate(upload))
        default:
            return checkAppend(to: upload, exchange, route: route)
        }
    }

    /// The 423 that a request for a locked upload gets; nil when it may go on.
    private func checkLock(
        of upload: StoredUpload,
        _ method: String,
        _ exchange: any HTTPExchange,
        route: String
    ) -> TusRejection? {
        guard let lock = upload.lock, upload.isLocked(against: exchange, at: now) else {
            return nil
        }
        if lock.end == nil, lock.holder.clientState == .waiting,
            !exchange.isNoRepetition(of: lock.holder)
        {
            violate(
                exchange,
                route: route,
                "a \(method) was sent while the client still waits for its own PATCH of the same "
                    + "upload (draft-ietf-httpbis-resumable-upload, Concurrency)"
            )
        }
        guard configuration.newRequestsTakeOver else {
            return TusRejection(423, "Another request holds the upload")
        }
        // A PATCH that is whole is served to its end: only one that still arrives is cut off.
        if lock.end == nil {
            guard let flight = flights[ObjectIdentifier(lock.holder)], !flight.isWhole else {
                return TusRejection(423, "Another request holds the upload")
            }
            giveUp(flight, "cut off by a newer request")
        }
        upload.lock = nil
        return nil
    }

    private func checkAppend(
        to upload: StoredUpload,
        _ exchange: any HTTPExchange,
        route: String
    ) -> Result<UploadOperation, TusRejection> {
        let head = exchange.head
        guard head.fields["Content-Type"] == "application/offset+octet-stream" else {
            violate(
                exchange,
                route: route,
                "a PATCH is not application/offset+octet-stream (tus 1.0.0, PATCH)"
            )
            return .failure(TusRejection(415, "The content type is not that of a PATCH"))
        }
        guard let offset = Self.number(head.fields["Upload-Offset"]) else {
            violate(
                exchange,
                route: route,
                "Upload-Offset is missing or not a non-negative integer (tus 1.0.0, PATCH)"
            )
            return .failure(TusRejection(400, "Upload-Offset is missing or malformed"))
        }
        guard offset == upload.offset else {
            return .failure(TusRejection(409, "Upload-Offset is not the upload's offset"))
        }
        guard Int64(head.bodyLength) <= upload.length - offset else {
            violate(
                exchange,
                route: route,
                "a PATCH goes beyond Upload-Length (tus 1.0.0, Upload-Length)"
            )
            return .failure(TusRejection(413, "The body goes beyond the end of the upload"))
        }
        if let limit = configuration.maximumChunkSize, Int64(head.bodyLength) > limit.bytes {
            return .failure(TusRejection(413, "The body is longer than the server takes at once"))
        }
        guard let text = head.fields["Upload-Checksum"] else {
            return .success(.append(upload, checksum: nil))
        }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard configuration.checksums, parts.count == 2, parts[0] == "sha1",
            let checksum = Base64.decode(parts[1]), checksum.count == 20
        else {
            violate(
                exchange,
                route: route,
                "Upload-Checksum is malformed or of an algorithm that is not offered (tus 1.0.0, "
                    + "Checksum)"
            )
            return .failure(TusRejection(400, "Upload-Checksum is malformed or not offered"))
        }
        return .success(.append(upload, checksum: checksum))
    }

    /// Digits alone are a number here: no sign, no space.
    private static func number(_ text: String?) -> Int64? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
