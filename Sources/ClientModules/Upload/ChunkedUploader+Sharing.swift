import SQLiteStore

/// An app and its extensions with an uploader each on one database: an upload is one process's at a time.
///
/// As long as only the app itself has opened the database nobody claims anything, and nothing is written for it.
extension ChunkedUploader {
    /// For how long an upload is claimed; renewed three times as often while somebody is about it.
    ///
    /// An assumption: twice what a request without a body may take by default, and the longest that an upload waits
    /// after the process that was about it is gone.
    static let claimSpan: Duration = .seconds(60)
    /// For how long an upload is claimed that the system carries out.
    ///
    /// A day is an assumption: the process that handed it over may be suspended meanwhile.
    static let handOverSpan: Duration = .seconds(86_400)

    /// This process as the database keeps it.
    var storedOwner: String? { ProcessClaim.stored(environment.process) }

    /// What a change of an upload's row claims it with; nil where nobody else is there to be told.
    var ownClaim: ProcessClaim? {
        isShared ? ProcessClaim(environment, for: Self.claimSpan) : nil
    }

    /// Learns whether the database is shared, when another connection has changed it since the last look.
    func lookForOthers() throws {
        let version = try store.connection.dataVersion()
        guard version != seenVersion else { return }
        isShared = try store.isShared()
        seenVersion = version
    }

    /// Who is about which upload, where anybody else can be.
    func ownerships() throws -> [Int64: UploadOwnership] {
        try lookForOthers()
        return isShared ? try store.ownerships() : [:]
    }

    /// Whether this process leaves an upload to others altogether.
    ///
    /// What the system carries out for the app is not for a process that has no such transfers: it cannot see them.
    func leavesToOthers(_ ownership: UploadOwnership?) -> Bool {
        guard let ownership, ownership.owner != environment.process else { return false }
        return configuration.usesBackgroundTransfers && environment.backgroundTransfers == nil
    }

    /// Whether another process has the upload now; nobody has one that is gone.
    func isOfOther(_ sequence: Int64) throws -> Bool {
        guard isShared else { return false }
        return try store.ownership(of: sequence)?.claim?.isOfOther(than: environment) ?? false
    }

    /// Takes an upload for this process; false when another has it.
    func take(_ sequence: Int64) throws -> Bool {
        try lookForOthers()
        guard isShared else { return true }
        let before = try store.connection.transaction {
            guard let found = try store.ownership(of: sequence),
                found.claim?.isOfOther(than: environment) != true
            else { return nil as UploadOwnership? }
            try store.claim(sequence, ProcessClaim(environment, for: Self.claimSpan))
            return found
        }
        guard let before else { return false }
        if before.owner != environment.process {
            // What this process knew of it is of before the other's time.
            sessions[sequence] = nil
            promisedNow.remove(sequence)
        }
        return true
    }

    /// Keeps an upload this process's own for as long as it is about it, from when it learns that there are others.
    func keepClaim(_ sequence: Int64) async {
        while (try? await environment.clock.sleep(for: Self.claimSpan / 3)) != nil {
            guard !handedOver.contains(sequence) else { continue }
            // What cannot be read or written now may be in twenty seconds: the claim lasts for two more tries.
            try? lookForOthers()
            if isShared { _ = try? renew(sequence, for: Self.claimSpan) }
        }
    }

    /// Claims an upload for longer; false when it is not this process's any more.
    func renew(_ sequence: Int64, for span: Duration) throws -> Bool {
        try store.connection.transaction {
            guard try store.ownership(of: sequence)?.owner == environment.process else {
                return false
            }
            try store.claim(sequence, ProcessClaim(environment, for: span))
            return true
        }
    }

    /// Whether an upload is still this process's, with its claim renewed if half of it is used up.
    ///
    /// Renews also for who learns here, in the middle of an upload, that the database is shared.
    func keeps(_ sequence: Int64) throws -> Bool {
        try lookForOthers()
        guard isShared else { return true }
        guard let found = try store.ownership(of: sequence), found.owner == environment.process
        else { return false }
        let half = (environment.clock.now + Self.claimSpan / 2).nanosecondsRounded
        if let claim = found.claim, claim.until >= half { return true }
        return try renew(sequence, for: Self.claimSpan)
    }
}
