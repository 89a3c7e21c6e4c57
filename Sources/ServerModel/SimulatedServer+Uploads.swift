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

    /// What every answer of the upload service carries.
    static let tusVersion = ("Tus-Resumable", "1.0.0")

    /// The upload that a path names; nil if it is no path of an upload.
    func uploadName(in path: String) -> String? {
        let prefix = configuration.uploadPath + "/"
        guard path.hasPrefix(prefix) else { return nil }
        let name = path.dropFirst(prefix.count)
        return name.isEmpty || name.contains("/") ? nil : String(name)
    }

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
            error.response.fields.append(Self.tusVersion.0, Self.tusVersion.1)
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
        answer.response.fields[Self.tusVersion.0] = Self.tusVersion.1
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
            guard !upload.isLocked(against: flight.exchange, at: now) else {
                return .problem(423, "Another request holds the upload")
            }
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
    func expireIfDue(_ upload: StoredUpload, _ exchange: any HTTPExchange) {
        guard upload.phase == .open, let expiry = upload.expiry, expiry <= now,
            !upload.isLocked(against: exchange, at: now)
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
}
