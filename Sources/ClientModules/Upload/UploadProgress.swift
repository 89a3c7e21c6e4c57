import Foundation

/// Where an upload stands: the state machine of tus 1.0, without clock, file or network.
///
/// The server's offset is the truth. It is unknown after every failure and every launch, and then
/// the next action asks for it; what this side believes it has sent never decides anything.
public struct UploadProgress: Equatable, Sendable {
    /// Bytes in the file.
    public let length: Int64
    /// The server's name for the upload; nil before it was created.
    public private(set) var location: URL?
    /// Bytes that the server confirmed; nil when that has to be asked first.
    public private(set) var offset: Int64?
    /// Most that was ever confirmed for this location.
    public private(set) var confirmed: Int64
    /// How often the server lost the upload.
    public private(set) var recreations: Int
    /// Failures since the last confirmed byte.
    public private(set) var failures: Int

    private var creationRequests: Int
    private var realignments = 0
    private var mismatches = 0
    private var violations = 0
    private var hasRefreshed = false

    /// Restores an upload from what is durable; the offset is never part of that.
    ///
    /// `mayBeCreated` tells that an earlier launch may have asked for the creation, so that the answer
    /// to the next request may be a replay.
    public init(
        length: Int64,
        location: URL? = nil,
        recreations: Int = 0,
        mayBeCreated: Bool = false,
        failures: Int = 0
    ) {
        precondition(length >= 0, "a file of \(length) bytes does not exist")
        self.length = length
        self.location = location
        self.recreations = recreations
        creationRequests = mayBeCreated ? 1 : 0
        confirmed = 0
        self.failures = failures
    }

    /// The next action, if a chunk may carry `chunk` bytes.
    public func nextAction(chunk: Int64) -> UploadAction {
        guard location != nil else { return .create }
        guard let offset else { return .query }
        guard offset < length else { return .finish }
        return .append(offset..<min(length, offset + max(1, chunk)))
    }

    /// Takes in the head of the response to `action`.
    ///
    /// The endpoint resolves a relative `Location`; `retryAfter` is what the response asks by that
    /// field; the sizer is told of a chunk that is too large.
    public mutating func take(
        _ response: HTTPResponse,
        to action: UploadAction,
        endpoint: URL,
        retryAfter: Duration?,
        sizer: inout ChunkSizer
    ) -> UploadStep {
        let status = response.status
        if status == 401 {
            guard !hasRefreshed else { return .fail(.rejected(status: status)) }
            hasRefreshed = true
            return .authorize
        }
        switch (action, status) {
        case (.create, 200..<300):
            return takeCreation(response, endpoint: endpoint)
        case (.query, 200..<300):
            return takeOffset(response)
        case (.append(let range), 200..<300):
            return takeAppend(response, range: range)
        case (.query, 404), (.query, 410), (.append, 404), (.append, 410):
            return lose(status: status)
        case (.append, 409):
            return realign()
        case (.append(let range), 413):
            guard sizer.refusedAsTooLarge(range.upperBound - range.lowerBound) else {
                return .fail(.rejected(status: status))
            }
            return .proceed
        case (.append, 460):
            // The chunk arrived damaged and was dropped (tus checksum extension): once more, and
            // after a wait if that repeats.
            mismatches += 1
            return mismatches == 1 ? .proceed : retry(.server, retryAfter)
        case (.create, 409), (_, 423):
            // Somebody is at it, most likely a connection of ours that the server still holds.
            if case .append = action { offset = nil }
            return retry(.throttle, retryAfter)
        default:
            return takeFailure(status: status, retryAfter: retryAfter)
        }
    }

    /// Takes in that the exchange for an action broke.
    public mutating func takeError(_ kind: FailureClass) -> UploadStep {
        if location != nil { offset = nil }
        return retry(kind, nil)
    }

    /// Takes in that the file cannot be read now, as on a locked device; what the server has is still known.
    public mutating func takeSourceError() -> UploadStep {
        retry(.connectFail, nil)
    }

    /// Notes that a creation is about to be asked for: the answer to a second request may be a replay.
    public mutating func willCreate() {
        creationRequests += 1
    }

    /// Begins again from zero, after `UploadStep.recreate`.
    public mutating func recreate() {
        location = nil
        offset = nil
        confirmed = 0
        recreations += 1
        creationRequests = 0
    }

    private mutating func takeCreation(_ response: HTTPResponse, endpoint: URL) -> UploadStep {
        guard let value = response[header: "Location"],
            let url = URL(string: value, relativeTo: endpoint)?.absoluteURL
        else { return retry(.connectFail, nil) }
        location = url
        // The first answer to the first request is of an empty upload; a replay need not be.
        offset = creationRequests == 1 ? 0 : nil
        advanced()
        return .proceed
    }

    private mutating func takeOffset(_ response: HTTPResponse) -> UploadStep {
        // No offset at all: somebody else answered, such as a captive portal.
        guard let text = response[header: "Upload-Offset"] else { return retry(.connectFail, nil) }
        let statedLength = response[header: "Upload-Length"].flatMap { Int64($0) }
        guard let value = Int64(text), (0...length).contains(value),
            statedLength == nil || statedLength == length
        else { return violation() }
        offset = value
        if value > confirmed {
            confirmed = value
            advanced()
        }
        return .proceed
    }

    private mutating func takeAppend(_ response: HTTPResponse, range: Range<Int64>) -> UploadStep {
        guard let text = response[header: "Upload-Offset"] else {
            offset = nil
            return retry(.connectFail, nil)
        }
        guard let value = Int64(text), value >= range.lowerBound, value <= range.upperBound else {
            offset = nil
            return violation()
        }
        offset = value
        if value > confirmed {
            confirmed = value
            advanced()
        }
        return value > range.lowerBound ? .proceed : retry(.server, nil)
    }

    private mutating func takeFailure(status: Int, retryAfter: Duration?) -> UploadStep {
        guard let kind = FailureClass(status: status), kind.isTransient else {
            return .fail(.rejected(status: status))
        }
        if location != nil { offset = nil }
        return retry(kind, retryAfter)
    }

    private mutating func lose(status: Int) -> UploadStep {
        recreations >= 1 ? .fail(.expired(status: status)) : .recreate
    }

    private mutating func realign() -> UploadStep {
        offset = nil
        realignments += 1
        // The first is the rule after a lost acknowledgement; a series means that something is off.
        return realignments == 1 ? .proceed : retry(.server, nil)
    }

    private mutating func violation() -> UploadStep {
        violations += 1
        return violations >= 3 ? .fail(.serverViolatesProtocol) : retry(.server, nil)
    }

    private mutating func retry(_ kind: FailureClass, _ retryAfter: Duration?) -> UploadStep {
        if kind != .offline { failures += 1 }
        return .retry(AttemptFailure(kind, retryAfter: retryAfter))
    }

    private mutating func advanced() {
        failures = 0
        realignments = 0
        mismatches = 0
        violations = 0
        hasRefreshed = false
    }
}
