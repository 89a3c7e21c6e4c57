import HTTPVocabulary
import Quantities

/// One upload as the server holds it: how much is there, and its digest; never the bytes.
final class StoredUpload {
    /// The server's own name, the last segment of its address.
    let name: String
    /// What the client calls it in its metadata; empty if it does not.
    let identity: String
    /// Bytes in all.
    let length: Int64
    /// `Upload-Metadata` as it was sent; nil if it was not.
    let metadata: String?
    /// Bytes that are kept.
    private(set) var offset: Int64 = 0
    /// What can still happen to it.
    var phase = Phase.open
    /// When it is gone if nothing more arrives; nil if it stays.
    var expiry: SimulationInstant?
    /// Who appends now, or was the last to before the lock ran out.
    var lock: Lock?

    private var digest = ContentDigest()
    private var checkpoint: (offset: Int64, digest: ContentDigest) = (0, ContentDigest())
    private var append: Append?
    private var isVerified = false
    /// The next offset at which a state has to be remembered.
    private var nextMark: Int64 = .max

    /// What can still happen to an upload.
    enum Phase: String {
        case open
        case complete
        case expired
        case terminated
    }

    /// The right to append.
    struct Lock {
        /// Who holds it.
        var holder: any HTTPExchange
        /// When it is given up; nil while the request is served.
        var end: SimulationInstant?
    }

    /// What has to be known to take an unfinished PATCH back.
    private struct Append {
        var start: (offset: Int64, digest: ContentDigest)
        var startCheckpoint: (offset: Int64, digest: ContentDigest)
        var firstKept: (offset: Int64, digest: ContentDigest)?
        var mode: PartialBodies
        var checksum: SHA1?
    }

    init(name: String, identity: String, length: Int64, metadata: String?) {
        self.name = name
        self.identity = identity
        self.length = length
        self.metadata = metadata
    }

    /// The digest of the bytes that are kept.
    var digestValue: UInt64 { digest.value }

    /// Whether someone else holds the lock at `now`.
    func isLocked(against exchange: any HTTPExchange, at now: SimulationInstant) -> Bool {
        guard let lock, lock.holder !== exchange else { return false }
        return lock.end.map { $0 > now } ?? true
    }

    /// Begins a PATCH at the present offset.
    func beginAppend(_ mode: PartialBodies, verifying: Bool) {
        append = Append(
            start: (offset, digest),
            startCheckpoint: checkpoint,
            firstKept: nil,
            mode: mode,
            checksum: verifying ? SHA1() : nil
        )
        isVerified = verifying
        mark()
    }

    /// Takes in the next bytes of the PATCH; the caller has checked that they fit.
    func take(_ bytes: [UInt8]) {
        precondition(offset + Int64(bytes.count) <= length, "upload \(name) is full")
        if isVerified { append?.checksum?.update(bytes) }
        guard offset + Int64(bytes.count) >= nextMark else {
            digest.update(bytes)
            offset += Int64(bytes.count)
            return
        }
        bytes.withUnsafeBytes { buffer in
            var position = 0
            while position < buffer.count {
                let room = min(nextMark - offset, Int64(buffer.count - position))
                let end = position + Int(room)
                digest.update(UnsafeRawBufferPointer(rebasing: buffer[position..<end]))
                offset += room
                position = end
                if offset == nextMark { mark() }
            }
        }
    }

    /// Ends a PATCH that arrived whole.
    ///
    /// - Returns: false when `checksum` is not that of its bytes; they are discarded then (460).
    func endAppend(checksum: [UInt8]?) -> Bool {
        defer { append = nil }
        guard let checksum, var computed = append?.checksum else { return true }
        guard computed.finish() == checksum else {
            restoreStart()
            return false
        }
        return true
    }

    /// Ends a PATCH whose connection broke, and keeps of it what the server would.
    ///
    /// Bytes that came with a checksum are discarded: nobody can verify a part.
    func breakAppend() {
        guard let append else { return }
        defer { self.append = nil }
        guard append.checksum == nil else { return restoreStart() }
        switch append.mode {
        case .kept:
            break
        case .none:
            restoreStart()
        case .first:
            if let kept = append.firstKept { (offset, digest) = kept }
        case .rolledBack:
            (offset, digest) = checkpoint
        }
    }

    /// Takes a PATCH back as if it had not been sent.
    func discardAppend() {
        restoreStart()
        append = nil
    }

    private func restoreStart() {
        guard let append else { return }
        (offset, digest) = append.start
        checkpoint = append.startCheckpoint
    }

    /// Remembers the present state if the mode asks for it, and finds the next offset that it asks.
    private func mark() {
        nextMark = .max
        switch append?.mode {
        case .first(let limit):
            guard let start = append?.start.offset, append?.firstKept == nil else { return }
            if offset == start + limit.bytes {
                append?.firstKept = (offset, digest)
            } else {
                nextMark = start + limit.bytes
            }
        case .rolledBack(let block):
            if offset % block.bytes == 0 { checkpoint = (offset, digest) }
            nextMark = (offset / block.bytes + 1) * block.bytes
        default:
            break
        }
    }
}
