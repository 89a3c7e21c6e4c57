import HTTPVocabulary
import Quantities
import Trace

/// tus 1.0.0 (2016-03-25): core protocol, creation, expiration, checksum and termination.
extension SimulatedServer {
    /// What the server holds of one upload.
    package struct UploadState: Equatable, Sendable {
        /// The server's own name, the last segment of its address.
        package var upload: String
        /// What the client calls it in its metadata.
        package var identity: String
        /// Bytes that are kept.
        package var offset: ByteCount
        /// Bytes in all.
        package var length: ByteCount
        /// `ContentDigest` of the bytes that are kept.
        package var digest: UInt64
        /// "open", "complete", "expired" or "terminated".
        package var phase: String
    }

    /// All uploads that were ever created, oldest first.
    package var uploadStates: [UploadState] {
        uploadNames.compactMap { uploads[$0] }.map {
            UploadState(
                upload: $0.name,
                identity: $0.identity,
                offset: ByteCount($0.offset),
                length: ByteCount($0.length),
                digest: $0.digestValue,
                phase: $0.phase.rawValue
            )
        }
    }

    private static let version = ("Tus-Resumable", "1.0.0")

    /// The upload that a path names; nil if it is no path of an upload.
    func uploadName(in path: String) -> String? {
        let prefix = configuration.uploadPath + "/"
        guard path.hasPrefix(prefix) else { return nil }
        let name = path.dropFirst(prefix.count)
        return name.isEmpty || name.contains("/") ? nil : String(name)
    }

    // MARK: The head

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
                        fields: [Self.version, ("Tus-Version", "1.0.0")]
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
            answer.response.fields.append(Self.version.0, Self.version.1)
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
            identity = metadata.value(ofFirst: ["id", "filename", "name"]) ?? ""
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
        guard !upload.isLocked(against: exchange, at: now) else {
            if let holder = upload.lock, holder.end == nil, holder.holder.clientState == .waiting {
                violate(
                    exchange,
                    route: route,
                    "a \(method) was sent while the client's own PATCH of the same upload is in "
                        + "flight (tus 1.0.0, PATCH: one request at a time)"
                )
            }
            return .failure(TusRejection(423, "Another request holds the upload"))
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

    // MARK: The work

    func prepareUpload(_ flight: ServerFlight, _ operation: UploadOperation) -> Preparation {
        let identity: String? =
            switch operation {
            case .options: nil
            case .create(_, _, let identity): identity
            case .head(let upload), .append(let upload, _), .terminate(let upload): upload.identity
            }
        if var error = scriptedError(for: flight, identity: identity, at: .beforeProcessing) {
            if case .append(let upload, _) = operation {
                upload.discardAppend()
                upload.lock = nil
            }
            error.response.fields.append(Self.version.0, Self.version.1)
            return .afterThinking { error }
        }
        if case .create(let length, let metadata, let identity) = operation {
            let payload = Array("\(length) \(metadata ?? "")".utf8)
            return meetKey(flight, rule: .honoured, payload: payload) { [self] in
                let error = scriptedError(for: flight, identity: identity, at: .insteadOfEffect)
                if let error { return tusAnswer(error) }
                let answer = create(flight, length: length, metadata: metadata, identity: identity)
                return tusAnswer(
                    scriptedError(for: flight, identity: identity, at: .afterEffect) ?? answer
                )
            }
        }
        return .afterThinking { [self] in tusAnswer(perform(operation, flight)) }
    }

    private func tusAnswer(_ answer: ServerAnswer) -> ServerAnswer {
        var answer = answer
        answer.response.fields[Self.version.0] = Self.version.1
        return answer
    }

    private func perform(_ operation: UploadOperation, _ flight: ServerFlight) -> ServerAnswer {
        switch operation {
        case .options:
            var extensions = "creation,termination"
            if configuration.uploadsLive != nil { extensions += ",expiration" }
            var fields = [("Tus-Version", "1.0.0")]
            if configuration.checksums {
                extensions += ",checksum"
                fields.append(("Tus-Checksum-Algorithm", "sha1"))
            }
            fields.append(("Tus-Extension", extensions))
            if let limit = configuration.maximumUploadSize {
                fields.append(("Tus-Max-Size", String(limit.bytes)))
            }
            return .empty(204, "told what it offers", fields: fields)
        case .create(let length, let metadata, let identity):
            return create(flight, length: length, metadata: metadata, identity: identity)
        case .head(let upload):
            return describe(upload, flight)
        case .append(let upload, let checksum):
            return append(to: upload, flight, checksum: checksum)
        case .terminate(let upload):
            upload.phase = .terminated
            reportUpload(upload, .terminated, flight.exchange)
            return .empty(204, "\(upload.name) is terminated")
        }
    }

    private func create(
        _ flight: ServerFlight,
        length: Int64,
        metadata: String?,
        identity: String
    ) -> ServerAnswer {
        let upload = StoredUpload(
            name: "u\(uploadNames.count + 1)",
            identity: identity,
            length: length,
            metadata: metadata
        )
        uploads[upload.name] = upload
        uploadNames.append(upload.name)
        renew(upload)
        reportUpload(upload, .created(length: ByteCount(length)), flight.exchange)
        if length == 0 { complete(upload, flight.exchange) }
        let location = "\(configuration.uploadPath)/\(upload.name)"
        return .empty(
            201,
            "\(upload.name) of \(length) bytes is created",
            fields: [("Location", location)] + expiryField(of: upload)
        )
    }

    private func describe(_ upload: StoredUpload, _ flight: ServerFlight) -> ServerAnswer {
        var fields = [
            ("Upload-Offset", String(upload.offset)), ("Upload-Length", String(upload.length)),
            ("Cache-Control", "no-store"),
        ]
        if let metadata = upload.metadata { fields.append(("Upload-Metadata", metadata)) }
        return .empty(
            200,
            "\(upload.name) holds \(upload.offset) of \(upload.length) bytes",
            fields: fields + expiryField(of: upload)
        )
    }

    private func append(
        to upload: StoredUpload,
        _ flight: ServerFlight,
        checksum: [UInt8]?
    ) -> ServerAnswer {
        upload.lock = nil
        guard upload.endAppend(checksum: checksum) else {
            // tus 1.0.0, Checksum: 460, and the chunk is discarded.
            return .problem(460, "The checksum does not match")
        }
        if flight.received > 0 { settle(upload, flight.exchange) }
        var fields = [("Upload-Offset", String(upload.offset))]
        fields += expiryField(of: upload)
        let outcome = "\(upload.name) holds \(upload.offset) of \(upload.length) bytes"
        let script = scriptedError(for: flight, identity: upload.identity, at: .afterEffect)
        if var script {
            script.outcome += ", after this: \(outcome)"
            return script
        }
        return .empty(204, outcome, fields: fields)
    }

    /// The connection of a PATCH broke; says what is left of the upload.
    func breakAppend(to upload: StoredUpload, of exchange: any HTTPExchange) -> String {
        let before = upload.offset
        upload.breakAppend()
        let end = now + configuration.uploadLock
        upload.lock = configuration.uploadLock > .zero ? .init(holder: exchange, end: end) : nil
        settle(upload, exchange)
        let dropped = before - upload.offset
        return "\(upload.name) holds \(upload.offset) of \(upload.length) bytes"
            + (dropped > 0 ? ", \(dropped) that had arrived are dropped" : "")
    }

    /// Reports where an upload stands after a PATCH.
    private func settle(_ upload: StoredUpload, _ exchange: any HTTPExchange) {
        renew(upload)
        reportUpload(upload, .appended(offset: ByteCount(upload.offset)), exchange)
        if upload.offset == upload.length, upload.phase == .open { complete(upload, exchange) }
    }

    private func complete(_ upload: StoredUpload, _ exchange: any HTTPExchange) {
        upload.phase = .complete
        upload.expiry = nil
        reportUpload(upload, .completed(digest: upload.digestValue), exchange)
    }

    /// An upload that is not finished lives on from its last append.
    private func renew(_ upload: StoredUpload) {
        guard upload.phase == .open, let life = configuration.uploadsLive else { return }
        upload.expiry = now + life
    }

    /// Expiry is noticed, and reported, when someone asks.
    private func expireIfDue(_ upload: StoredUpload, _ exchange: any HTTPExchange) {
        guard upload.phase == .open, let expiry = upload.expiry, expiry <= now,
            upload.lock == nil
        else { return }
        upload.phase = .expired
        reportUpload(upload, .expired, exchange)
    }

    private func expiryField(of upload: StoredUpload) -> [(String, String)] {
        upload.expiry.map { [("Upload-Expires", HTTPDate.text(wallClock(at: $0)))] } ?? []
    }

    private func reportUpload(
        _ upload: StoredUpload,
        _ kind: ServerUploadEvent.Kind,
        _ exchange: any HTTPExchange
    ) {
        report(
            .serverUpload(
                ServerUploadEvent(
                    upload: upload.name,
                    identity: upload.identity,
                    kind: kind,
                    request: exchange.number
                )
            ),
            of: exchange
        )
    }

    /// Digits alone are a number here: no sign, no space.
    private static func number(_ text: String?) -> Int64? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
