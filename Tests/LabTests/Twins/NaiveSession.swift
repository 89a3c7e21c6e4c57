import ClientModules
import Foundation
import SQLiteStore

/// Mistakes that real teams shipped, to be put into a session that is right without them.
struct SessionDefects: OptionSet, Sendable {
    let rawValue: Int

    /// Each 401 sends a refresh of its own (GlycemicGPT/GlycemicGPT#520): the token that works once is used twice.
    static let refreshesForEachRefusal = Self(rawValue: 1 << 0)
    /// New tokens go into a request first and into the store when that was answered.
    static let storesAfterUse = Self(rawValue: 1 << 1)
    /// Any error of the token endpoint signs the person out.
    static let anyErrorSignsOut = Self(rawValue: 1 << 2)
    /// Each process of the app refreshes with the token that it found at its start.
    static let everyProcessRefreshes = Self(rawValue: 1 << 3)
}

/// A session as a team writes it in an afternoon: an interceptor that refreshes after a 401.
///
/// Without a defect it is right under any one fault: only the app itself refreshes. A wait that a server asked for dies with the process.
actor NaiveSession: SessionDriving {
    private struct Stored {
        var identifier: String
        var access: String
        var refresh: String?

        init(identifier: String, access: String, refresh: String?) {
            self.identifier = identifier
            self.access = access
            self.refresh = refresh
        }

        init(_ signIn: SessionSignIn) {
            identifier = signIn.identifier
            access = signIn.tokens.access
            refresh = signIn.tokens.refresh
        }
    }

    private struct Answer: Decodable {
        var access: String
        var refresh: String

        enum CodingKeys: String, CodingKey {
            case access = "access_token"
            case refresh = "refresh_token"
        }
    }

    private let environment: ClientEnvironment
    private let endpoint: URL
    private let defects: SessionDefects
    private let observer: @Sendable (SessionEvent) -> Void
    private let connection: SQLiteConnection
    private var state: Stored
    private var isUnsaved = false
    private var running: Task<Void, any Error>?
    private var pausedUntil: Duration = .zero

    init(
        environment: ClientEnvironment,
        configuration: SessionConfiguration,
        signIn: SessionSignIn,
        defects: SessionDefects,
        observer: @escaping @Sendable (SessionEvent) -> Void
    ) throws {
        self.environment = environment
        endpoint = configuration.tokenEndpoint
        self.defects = defects
        self.observer = observer
        connection = try SQLiteConnection(
            path: "\(environment.directory)/\(configuration.database)",
            vfs: environment.sqliteVFS,
            configuration: .init(usesFullSync: true)
        )
        try connection.settleRecovered()
        try connection.executeScript(
            "CREATE TABLE IF NOT EXISTS token (id INTEGER PRIMARY KEY, identifier, access, refresh)"
        )
        let stored = try Self.stored(in: connection)
        state =
            stored?.identifier == signIn.identifier
            ? stored ?? Stored(signIn) : Stored(signIn)
    }

    nonisolated var transport: any HTTPTransport {
        NaiveSessionTransport(session: self, transport: environment.transport)
    }

    nonisolated var authorization: RequestAuthorization {
        { request, _ in request }
    }

    func run() async {
        if state.refresh == nil { observer(.signedOut(signIn: state.identifier)) }
    }

    func signIn(_ signIn: SessionSignIn) async {
        state = Stored(signIn)
        isUnsaved = true
        try? save()
    }

    func signOut() async {
        state.refresh = nil
        isUnsaved = true
        try? save()
    }

    private static func stored(in connection: SQLiteConnection) throws -> Stored? {
        try connection.statement("SELECT identifier, access, refresh FROM token").first { row in
            Stored(
                identifier: row.text(at: 0),
                access: row.text(at: 1),
                refresh: row.optionalText(at: 2)
            )
        }
    }

    /// Whether another process refreshes for this one.
    private var onlyReads: Bool {
        !environment.process.isEmpty && !defects.contains(.everyProcessRefreshes)
    }

    /// The access token that is thought to be good.
    func access() throws -> String {
        if onlyReads { state = try Self.stored(in: connection) ?? state }
        guard state.refresh != nil else { throw URLError(.userAuthenticationRequired) }
        return state.access
    }

    /// Gets another token after a 401.
    func refresh(insteadOf refused: String) async throws -> String {
        if onlyReads {
            let access = try access()
            guard access != refused else { throw URLError(.cannotConnectToHost) }
            return access
        }
        if !defects.contains(.refreshesForEachRefusal) {
            if state.access != refused { return try access() }
            if let running {
                try await running.value
                return try access()
            }
        }
        guard let used = state.refresh else { throw URLError(.userAuthenticationRequired) }
        let task = Task { try await self.exchange(used) }
        running = task
        defer { running = nil }
        try await task.value
        return try access()
    }

    /// A request with the present token was answered.
    func wasUsed() {
        try? save()
    }

    private func exchange(_ used: String) async throws {
        guard environment.clock.now >= pausedUntil else { throw URLError(.cannotConnectToHost) }
        let request = HTTPRequest(
            method: "POST",
            url: endpoint,
            headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
            purpose: "session"
        )
        let form = Data("grant_type=refresh_token&refresh_token=\(used)".utf8)
        let response = try await environment.transport.send(
            request,
            body: .data(form),
            progress: nil
        )
        let body = try await response.body()
        if let seconds = response[header: "Retry-After"].flatMap({ Int64($0) }) {
            pausedUntil = environment.clock.now + .seconds(seconds)
        }
        if response.status == 200, let answer = try? JSONDecoder().decode(Answer.self, from: body) {
            let before = state
            state.access = answer.access
            state.refresh = answer.refresh
            isUnsaved = true
            guard !defects.contains(.storesAfterUse) else { return }
            do {
                try save()
            } catch {
                state = before
                throw URLError(.cannotConnectToHost)
            }
            return
        }
        guard response.status == 400 || defects.contains(.anyErrorSignsOut) else {
            throw URLError(.cannotConnectToHost)
        }
        state.refresh = nil
        isUnsaved = true
        try? save()
        observer(.signedOut(signIn: state.identifier))
        throw URLError(.userAuthenticationRequired)
    }

    private func save() throws {
        guard isUnsaved else { return }
        try connection.execute(
            "INSERT OR REPLACE INTO token (id, identifier, access, refresh) VALUES (1, ?, ?, ?)",
            state.identifier,
            state.access,
            state.refresh
        )
        isUnsaved = false
    }
}

/// The interceptor.
private struct NaiveSessionTransport: HTTPTransport {
    let session: NaiveSession
    let transport: any HTTPTransport

    func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody,
        progress: (@Sendable (_ bytesHandedOver: Int64) -> Void)?
    ) async throws -> HTTPResponse {
        let token = try await session.access()
        let answer = try await transport.send(
            bearing(token, request),
            body: body,
            progress: progress
        )
        guard answer.status == 401 else {
            await session.wasUsed()
            return answer
        }
        _ = try? await answer.body()
        let fresh = try await session.refresh(insteadOf: token)
        let second = try await transport.send(
            bearing(fresh, request),
            body: body,
            progress: progress
        )
        guard second.status != 401 else { throw URLError(.userAuthenticationRequired) }
        await session.wasUsed()
        return second
    }

    private func bearing(_ token: String, _ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request[header: "Authorization"] = "Bearer \(token)"
        return request
    }
}
