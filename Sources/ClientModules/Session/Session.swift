import Foundation
import SQLiteStore

/// Keeps somebody signed in: tokens that survive a kill, one refresh at a time, requests that outlive a token.
///
/// ```swift
/// let session = try Session(environment: environment, configuration: .init(tokenEndpoint: url))
/// environment.transport = session.transport         // for every module made from here on
/// Task { await session.run() }                      // once a launch; cancel to stop
/// ```
///
/// **Stored, then used.** A refresh token may work once (RFC 9700, 4.14.2). The pair that a refresh brings is
/// committed with a sync before any request carries it. A process that dies between the server's answer and
/// that commit still holds the old refresh token, and no request has used the new pair: a server that forgives
/// a used token until its successor is used, or for a grace period, goes on with the session. One that forgives
/// nothing signs the person out when an answer is lost; no client can help that.
///
/// **One at a time.** However many requests are refused at once, one refresh is sent. It is nobody's child: a
/// request that is given up does not cut the answer off. A 401 to a token that has been replaced meanwhile
/// asks for no refresh at all. A token whose lifetime is about over is refreshed before it is sent.
///
/// **What fails.** Without an answer that counts, whoever waited hears `cannotConnectToHost`, or
/// `notConnectedToInternet`: their own rules decide when to try again. `Retry-After` is heeded across launches.
/// Only `invalid_grant` (RFC 6749, 5.2) ends the session: no other error of the endpoint, let alone of
/// something in front of it, signs a person out. From then on every request ends with
/// `userAuthenticationRequired` before it leaves; an `Outbox` keeps what it has and goes on after the next sign-in.
///
/// **Who leaves.** `signOut` takes the tokens away, and every request ends as above from then on; one that is
/// under way goes on with the token that it has. The server is not told: revoke the token yourself where it
/// lets you (RFC 7009). `transport(for:)` sends for one account and for no other: with an outbox of each
/// account on it, what somebody left behind is kept and never sent as somebody else.
///
/// The tokens lie in the database as they are: choose a directory that is not part of backups, and encrypt it
/// where the platform does not.
///
/// **In several processes.** An app and its extensions may each have a session on one database, with names of
/// their own (`ClientEnvironment.process`): a refresh is claimed in the database for as long as it may take, the
/// others wait for it and go on with what it brought. Each looks before a request whether another has refreshed,
/// signed in or signed out. When a process dies as it refreshes, the others wait until its claim is over
/// (`SessionConfiguration.attemptTimeout` and ten seconds), and so does the first extension that ever opens it.
public actor Session: SessionDriving {
    nonisolated let environment: ClientEnvironment
    nonisolated let configuration: SessionConfiguration
    let observer: (@Sendable (SessionEvent) -> Void)?
    let store: SessionStore
    let line = WaitingLine()
    private let wake = WakeSignal()
    /// What is stored.
    var row: SessionStore.Row?
    var pausedUntil: Duration
    /// Whether other processes may refresh too.
    var isShared: Bool
    /// The state of the database that was looked at last.
    var seenVersion: Int64?
    /// Changes that are being stored.
    private(set) var storing = 0
    private var isRunning = false
    /// The sign-in that is being stored.
    private var comingIn: SessionSignIn?
    /// Sign-outs of this launch: what began before one is not stored after it.
    private var signOuts = 0

    /// Opens the session's database, and takes a sign-in over that it does not know yet.
    ///
    /// Blocks for as long as the storage takes. Throws `SQLiteError`, such as on a locked device. The
    /// observer is called within the session, so it must not block.
    public init(
        environment: ClientEnvironment,
        configuration: SessionConfiguration,
        signIn: SessionSignIn? = nil,
        observer: (@Sendable (SessionEvent) -> Void)? = nil
    ) throws {
        self.environment = environment
        self.configuration = configuration
        self.observer = observer
        let store = SessionStore(connection: try environment.openDatabase(configuration.database))
        self.store = store
        let clock = environment.clock
        let span = configuration.attemptTimeout + ProcessClaim.margin
        (row, pausedUntil, isShared) = try store.connection.transaction {
            try store.createTable()
            if !environment.process.isEmpty {
                var grace = ProcessClaim(environment, for: span)
                grace.owner = ""
                try store.beginSharing(grace: grace)
            }
            let isShared = try store.isShared()
            let known = try store.row()
            guard let signIn, signIn.identifier != known?.identifier else {
                return (known, try store.takePause(by: clock) ?? .zero, isShared)
            }
            let taken = SessionStore.Row(signIn, at: StoredInstant(clock))
            try store.put(taken)
            return (taken, .zero, isShared)
        }
    }

    /// A transport whose requests to the token endpoint's origin carry the access token.
    public nonisolated var transport: any HTTPTransport {
        SessionTransport(session: self, transport: environment.transport)
    }

    /// A transport as `transport`, for the requests of one account.
    ///
    /// While another account is signed in, they end with `userAuthenticationRequired` as if nobody was.
    public nonisolated func transport(for account: String) -> any HTTPTransport {
        SessionTransport(session: self, transport: environment.transport, account: account)
    }

    /// Adds the access token to a request that does not go through `transport`.
    public nonisolated var authorization: RequestAuthorization {
        { [self] request, wasRefused in
            let refused = wasRefused ? await currentAccess : nil
            return request.bearing(try await accessToken(insteadOf: refused))
        }
    }

    /// Whether somebody is signed in.
    public var isSignedIn: Bool { row?.tokens != nil }

    /// Who is signed in, as their sign-in says; nil if nobody is, or it does not say.
    public var account: String? { isSignedIn ? row?.account : nil }

    /// Refreshes when it is asked to, until the task is cancelled.
    ///
    /// Whoever waits for a token waits for this.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        if let row, row.tokens == nil { observer?(.signedOut(signIn: row.identifier)) }
        while !Task.isCancelled {
            while !line.isEmpty, !Task.isCancelled { await refresh() }
            await wake.wait()
        }
        line.end(.failure(URLError(.cancelled)))
    }

    /// A person signed in; returns when that is stored, which is tried until it is or the task is cancelled.
    public func signIn(_ signIn: SessionSignIn) async {
        try? look()
        guard signIn.identifier != row?.identifier else { return }
        let taken = SessionStore.Row(signIn, at: StoredInstant(environment.clock))
        comingIn = signIn
        defer { if comingIn?.identifier == signIn.identifier { comingIn = nil } }
        guard await store(taken, replacing: row?.identifier) else {
            try? look()
            return
        }
        pausedUntil = .zero
        line.end(.success(()))
    }

    /// The person signed out; returns when that is stored, which is tried until it is or the task is cancelled.
    ///
    /// From the call on nothing is sent as them. A launch is told by `signedOut`, until somebody signs in; the
    /// sign-in that ended is not taken over again.
    public func signOut() async {
        guard let last = comingIn?.identifier ?? row?.identifier else { return }
        let known = row?.identifier
        let over = SessionStore.Row(
            identifier: last,
            tokens: nil,
            obtained: StoredInstant(environment.clock)
        )
        signOuts += 1
        comingIn = nil
        row?.tokens = nil
        line.end(.failure(URLError(.userAuthenticationRequired)))
        if await !store(over, replacing: known) { try? look() }
    }

    /// A token to send, other than one that the server refused; waits for a refresh if there is none.
    ///
    /// Throws `URLError.userAuthenticationRequired` when nobody is signed in.
    func accessToken(
        insteadOf refused: String?,
        of account: String? = nil
    ) async throws -> String {
        // What cannot be read now is known from before.
        try? look()
        guard let row, let tokens = row.tokens, account == nil || account == row.account else {
            throw URLError(.userAuthenticationRequired)
        }
        guard tokens.access == refused || isStale(row) else { return tokens.access }
        guard environment.clock.now >= pausedUntil else { throw URLError(.cannotConnectToHost) }
        let wake = wake
        try await line.wait(after: line.rounds) { wake.raise() }
        guard let row = self.row, let access = row.tokens?.access,
            account == nil || account == row.account
        else { throw URLError(.userAuthenticationRequired) }
        return access
    }

    private var currentAccess: String? { row?.tokens?.access }

    /// Whether the access token is about to expire: a tenth of its life before, half a minute at most.
    ///
    /// The margin is an assumption: a request is on its way for a while. A clock that is wrong costs
    /// a refresh or a 401, nothing else.
    private func isStale(_ row: SessionStore.Row) -> Bool {
        guard let lifetime = row.tokens?.accessLifetime else { return false }
        return row.obtained.age(by: environment.clock) >= lifetime
            - min(lifetime / 10, .seconds(30))
    }

    // MARK: The refresh

    private func refresh() async {
        let used: SessionStore.Row
        do {
            switch try takeTurn() {
            case .mine(let row): used = row
            case .over: return
            case .theirs(let until):
                let next = environment.clock.now + Self.lookInterval
                return await wake.wait(until: min(next, until), clock: environment.clock)
            }
        } catch {
            observer?(.storageFailed(description: "\(error)"))
            return line.end(.failure(URLError(.cannotConnectToHost)))
        }
        guard let tokens = used.tokens else { return }
        let began = StoredInstant(environment.clock)
        let answer = await ask(with: tokens.refresh)
        guard row?.identifier == used.identifier else {
            giveTurnBack()
            return line.end(.success(()))
        }
        guard row?.tokens != nil else {
            giveTurnBack()
            return line.end(.failure(URLError(.userAuthenticationRequired)))
        }
        switch answer {
        case .tokens(let fresh):
            // The lifetime counts from the answer at the latest: the request's instant errs to the safe side.
            let taken = SessionStore.Row(
                identifier: used.identifier,
                tokens: fresh,
                obtained: began,
                account: used.account
            )
            guard await store(taken, replacing: used.identifier, refreshedWith: tokens) else {
                return
            }
            observer?(.refreshed)
            line.end(.success(()))
        case .refused:
            let over = SessionStore.Row(
                identifier: used.identifier,
                tokens: nil,
                obtained: used.obtained,
                account: used.account
            )
            guard await store(over, replacing: used.identifier, refreshedWith: tokens) else {
                return
            }
            observer?(.signedOut(signIn: used.identifier))
            line.end(.failure(URLError(.userAuthenticationRequired)))
        case .failed(let kind, let retryAfter):
            if let retryAfter { await pause(for: retryAfter) }
            giveTurnBack()
            observer?(.refreshFailed(kind))
            let code: URLError.Code =
                kind == .offline ? .notConnectedToInternet : .cannotConnectToHost
            line.end(.failure(URLError(code)))
        }
    }

    private func ask(with refresh: String) async -> SessionAnswer {
        let request = TokenRequest(configuration: configuration, refresh: refresh)
        let clock = environment.clock
        let exchange = TimedExchange(transport: environment.transport, clock: clock)
        do {
            return try await exchange.send(
                request.head,
                body: .data(request.form),
                deadline: clock.now + configuration.attemptTimeout
            ) { response in
                SessionAnswer(
                    status: response.status,
                    body: try await response.body(upTo: 64 << 10),
                    retryAfter: RetryAfter.wait(askedBy: response, wallTime: clock.wallTime),
                    refresh: refresh
                )
            }
        } catch {
            return .failed(FailureClass(thrown: error), retryAfter: nil)
        }
    }

    private func pause(for span: Duration) async {
        let until = environment.clock.now + span
        pausedUntil = until
        let boot = environment.clock.bootIdentifier
        _ = await durably {
            try store.connection.transaction {
                try store.pause(until: until, for: span, boot: boot)
            }
        }
    }

    /// Stores what takes the place of `identifier`; false when that is gone by now or the task was cancelled.
    ///
    /// What a refresh brought does not replace what another process has stored since.
    private func store(
        _ taken: SessionStore.Row,
        replacing identifier: String?,
        refreshedWith used: SessionTokens? = nil
    ) async -> Bool {
        var isCurrent = true
        let before = signOuts
        let isStored = await durably {
            isCurrent = row?.identifier == identifier && signOuts == before
            guard isCurrent else { return }
            try store.connection.transaction {
                if isShared {
                    isCurrent = try fits(taken, replacing: identifier, refreshedWith: used)
                }
                if isCurrent { try store.put(taken) }
            }
            if isCurrent { row = taken }
        }
        return isStored && isCurrent
    }

    private func durably(_ change: () throws -> Void) async -> Bool {
        storing += 1
        defer { storing -= 1 }
        return await StorageRetry(environment, configuration.retry)
            .untilDone(report: { observer?(.storageFailed(description: $0)) }, change)
    }
}
