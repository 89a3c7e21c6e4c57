import Foundation
import SQLiteStore

/// What concerns several processes on one database.
///
/// As long as only the app itself has opened it, nobody claims anything and nothing is written for it.
extension Session {
    /// Whose turn a refresh is.
    enum Turn: Sendable {
        /// This process's, with what is stored.
        case mine(SessionStore.Row)
        /// Another process's, until then unless it says before that it is done.
        case theirs(until: Duration)
        /// Nobody's: those who waited have their answer.
        case over
    }

    /// How often a process that waits for another one's refresh looks whether it is there (an assumption: few
    /// looks at a file while the radio is awake anyway, and a wait that a person does not notice).
    static let lookInterval: Duration = .milliseconds(250)

    /// For how long a refresh is claimed.
    var claimSpan: Duration { configuration.attemptTimeout + ProcessClaim.margin }

    /// Takes in what another process has stored.
    ///
    /// Not while this one stores something: that is newer, or will be held against what is there.
    func look() throws {
        guard storing == 0 else { return }
        let version = try store.connection.dataVersion()
        guard version != seenVersion else { return }
        if !isShared { isShared = try store.isShared() }
        pausedUntil = try store.pauseEnd(by: environment.clock) ?? .zero
        adopt(try store.row())
        seenVersion = version
    }

    private func adopt(_ stored: SessionStore.Row?) {
        guard let stored else { return }
        let last = row
        row = stored
        guard !stored.isSame(as: last) else { return }
        let wasSignedIn = last?.tokens != nil
        guard stored.tokens == nil else { return line.end(.success(())) }
        if wasSignedIn { observer?(.signedOut(signIn: stored.identifier)) }
        line.end(.failure(URLError(.userAuthenticationRequired)))
    }

    /// Finds out whose turn the refresh is, and claims it for this process if it is its own.
    ///
    /// Throws the storage's error. Without another process nothing of it matters: the refresh goes on.
    func takeTurn() throws -> Turn {
        do {
            try look()
        } catch  where !isShared {
            // What is stored is what is known.
        }
        guard let row, row.tokens != nil else {
            line.end(.failure(URLError(.userAuthenticationRequired)))
            return .over
        }
        guard !line.isEmpty else { return .over }
        guard environment.clock.now >= pausedUntil else {
            line.end(.failure(URLError(.cannotConnectToHost)))
            return .over
        }
        guard isShared else { return .mine(row) }
        return try store.connection.transaction {
            guard let stored = try store.row(), stored.isSame(as: row) else {
                // Stored a moment ago: a look takes it in, as soon as this process stores nothing itself.
                seenVersion = nil
                return .theirs(until: environment.clock.now + Self.lookInterval)
            }
            if let claim = try store.claim(), claim.isOfOther(than: environment) {
                return .theirs(until: claim.end(for: environment))
            }
            try store.put(ProcessClaim(environment, for: claimSpan))
            return .mine(row)
        }
    }

    /// Whether what is stored leaves room for a change; part of the transaction that makes it.
    ///
    /// What a refresh brought takes the place of what it was made with, a sign-out that of the sign-in which was
    /// there, a sign-in that of any other.
    func fits(
        _ taken: SessionStore.Row,
        replacing identifier: String?,
        refreshedWith used: SessionTokens?
    ) throws -> Bool {
        let stored = try store.row()
        if let used {
            try store.endClaim(of: ProcessClaim.stored(environment.process))
            return stored?.identifier == identifier && stored?.tokens?.refresh == used.refresh
        }
        return taken.tokens == nil
            ? stored?.identifier == identifier : stored?.identifier != taken.identifier
    }

    /// Lets the others refresh, after one of this process's that brought nothing; else the claim ends by time.
    func giveTurnBack() {
        guard isShared else { return }
        let owner = ProcessClaim.stored(environment.process)
        try? store.connection.transaction { try store.endClaim(of: owner) }
    }
}

extension SessionStore.Row {
    /// Whether it is the same sign-in with the same tokens.
    func isSame(as other: Self?) -> Bool {
        identifier == other?.identifier && tokens?.access == other?.tokens?.access
            && tokens?.refresh == other?.tokens?.refresh
    }
}
