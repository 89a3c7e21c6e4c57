import HTTPVocabulary
import Quantities
import SimulationKernel
import Trace

/// The HTTP client of one app launch: a connection pool, as URLSession keeps one.
///
/// HTTP/1.1 over TCP: at most `settings.connectionsPerHost` connections a host, each with one
/// exchange at a time; further requests wait in order of arrival. HTTP/2 and HTTP/3: one connection a host. That a host speaks HTTP/3 is
/// taken as known (by an HTTPS record or an earlier Alt-Svc, RFC 9114, 3.1). A request on a reused connection
/// that breaks before any byte of the answer is sent once more on another one if its method is
/// idempotent (RFC 9110, 9.2.2); a POST or PATCH fails with `networkConnectionLost`, as on a phone.
package final class HTTPClientEngine: EventReceiver {
    /// What it is set to.
    package let settings: HTTPClientSettings
    /// The way it uses.
    package let network: AccessNetwork

    private let simulation: Simulation
    private var requests: [RequestToken: ActiveRequest] = [:]
    private var tokenCount: Int64 = 0
    private var connections: [any PooledConnection] = []
    private var queue: [ActiveRequest] = []
    private var sessions: [(host: String, security: TransportSecurity)] = []
    private var isDead = false
    /// Whether the system lets this process have no network, although the phone has one.
    package var isBlocked = false

    /// Makes the client of one launch.
    package init(network: AccessNetwork, settings: HTTPClientSettings = .init()) {
        self.network = network
        self.settings = settings
        simulation = network.simulation
    }

    // MARK: The client's verbs

    /// Sends a request; what becomes of it is told to `events`, never before this returns.
    ///
    /// Without a route it fails with `notConnectedToInternet`, and no packet is sent.
    package func send(
        _ head: HTTPRequestHead,
        body: (any RequestBodySource)? = nil,
        options: RequestOptions,
        events: any HTTPClientEvents
    ) -> RequestToken {
        tokenCount += 1
        let token = RequestToken(number: tokenCount)
        guard !isDead else { return token }
        var head = head
        head.bodyLength = body?.length ?? 0
        requests[token] = ActiveRequest(
            token: token,
            head: head,
            body: body,
            options: options,
            events: events,
            at: simulation.instant
        )
        schedule(.start, token, at: simulation.instant)
        return token
    }

    /// Takes a request back: its connection is closed, nothing more is told.
    package func cancel(_ token: RequestToken) {
        guard let request = requests[token] else { return }
        simulation.asWorld { abandon(request, nil) }
    }

    /// Hands over the next piece of the body, for a request that pulls.
    ///
    /// It comes by `bodyChunk` as soon as there is one. What is not pulled fills the receive window.
    package func pull(_ token: RequestToken) {
        guard let request = requests[token] else { return }
        request.isPulling = true
        schedule(.pull, token, at: simulation.instant)
    }

    /// The system takes the sockets of a process that lives on: what is under way breaks.
    ///
    /// Requests fail with `networkConnectionLost`; the peers see what they see when a process ends.
    package func reclaimSockets() {
        simulation.asWorld {
            let broken = requests.values.sorted { $0.token < $1.token }
            for request in broken {
                request.connection = nil
                request.ideal?.abandoned()
            }
            queue.removeAll()
            for connection in connections { connection.orphan(.reclaimed) }
            for request in broken {
                let events = retire(request)
                events?.failed(.networkConnectionLost, of: request.token)
            }
        }
    }

    /// The process is gone: the system closes its sockets.
    ///
    /// What lies in a socket's send buffer is still sent, then a FIN; a socket with unread bytes,
    /// or one that bytes come to afterwards, answers with a reset. Nothing more is told.
    package func processDied() {
        end { $0.orphan(.processDied) }
    }

    /// The phone lost power: nothing more is sent, and the peers are told nothing.
    package func powerLost() {
        end { $0.vanish() }
    }

    /// The world is over: what is under way is forgotten without a word to anyone.
    package func discard() {
        isDead = true
        for request in requests.values { request.events = nil }
        requests.removeAll()
        queue.removeAll()
        connections.removeAll()
    }

    /// Requests that are under way.
    package var activeRequests: Int { requests.count }
    /// Connections that are open or opening.
    package var openConnections: Int { connections.count }

    private func end(_ closing: (any PooledConnection) -> Void) {
        simulation.asWorld {
            isDead = true
            for request in requests.values {
                request.stage = .done
                request.events = nil
            }
            for request in requests.values.sorted(by: { $0.token < $1.token }) {
                request.ideal?.abandoned()
            }
            requests.removeAll()
            queue.removeAll()
            for connection in connections { closing(connection) }
        }
    }

    // MARK: Events

    private enum Step: UInt64 {
        case start
        case pull
        case idleCheck
        case connectCheck
    }

    private func schedule(_ step: Step, _ token: RequestToken, at instant: SimulationInstant) {
        simulation.schedule(
            at: instant,
            for: self,
            payload: UInt64(token.number) << 2 | step.rawValue
        )
    }

    /// Takes a step of one request.
    package func receive(_ payload: UInt64, at instant: SimulationInstant) {
        let token = RequestToken(number: Int64(payload >> 2))
        guard let request = requests[token], let step = Step(rawValue: payload & 3) else { return }
        switch step {
        case .start: start(request)
        case .pull:
            request.connection?.pull(request)
            request.ideal?.pull()
        case .idleCheck: checkIdle(request)
        case .connectCheck:
            if request.stage != .exchanging { abandon(request, .timedOut) }
        }
    }

    private func start(_ request: ActiveRequest) {
        guard network.path.hasRoute, !isBlocked else {
            return abandon(request, .notConnectedToInternet)
        }
        if let timeout = request.options.idleTimeout {
            schedule(.idleCheck, request.token, at: simulation.instant + timeout)
        }
        if let timeout = request.options.connectTimeout {
            schedule(.connectCheck, request.token, at: simulation.instant + timeout)
        }
        if settings.transport == .ideal { return startIdeal(request) }
        network.resolve(request.head.host, owner: request.options.owner) { [weak self] exists in
            guard let self, request.stage == .resolving else { return }
            guard exists else { return abandon(request, .dnsLookupFailed) }
            request.stage = .queued
            queue.append(request)
            assign(host: request.head.host, request.options.security)
        }
    }

    private func startIdeal(_ request: ActiveRequest) {
        guard let host = network.internet.host(request.head.host) else {
            return abandon(request, .dnsLookupFailed)
        }
        guard host.acceptance == .up else { return abandon(request, .cannotConnectToHost) }
        request.stage = .exchanging
        request.ideal = IdealExchange(request, engine: self, responder: host.responder)
    }

    private func checkIdle(_ request: ActiveRequest) {
        guard let timeout = request.options.idleTimeout else { return }
        if !request.unread.isEmpty { request.progressAt = simulation.instant }
        var due = request.progressAt + timeout
        if due <= simulation.instant, let moved = request.connection?.lastDelivery(of: request) {
            due = max(due, moved + timeout)
        }
        if due <= simulation.instant {
            abandon(request, .timedOut)
        } else {
            schedule(.idleCheck, request.token, at: due)
        }
    }

    // MARK: The pool

    /// Gives queued requests of one host to free connections, and opens more while it may.
    private func assign(host: String, _ security: TransportSecurity) {
        while let request = firstQueued(host, security) {
            if let free = connections.first(where: {
                $0.host == host && $0.security == security && $0.isReusable
                    && $0.accepts(request)
            }) {
                queue.removeAll { $0 === request }
                free.begin(request)
                continue
            }
            let known = connections.filter { $0.host == host && $0.security == security }
            let waiting = queue.count { $0.head.host == host && $0.options.security == security }
            let opening = known.count { $0.isOpening }
            let most = known.first?.isShared == true ? 1 : settings.connectionsPerHost
            guard known.count < most, opening < waiting else { return }
            open(for: request)
        }
    }

    private func firstQueued(_ host: String, _ security: TransportSecurity) -> ActiveRequest? {
        queue.first { $0.head.host == host && $0.options.security == security }
    }

    /// Who answers for a host: itself, or the proxy in the way.
    private func route(
        to host: Internet.Host
    ) -> (any HTTPResponder, () -> Internet.Availability) {
        guard let proxy = network.proxy else { return (host.responder, { host.acceptance }) }
        return (BufferingProxy(proxy, origin: host, simulation: simulation), { .up })
    }

    /// The oldest request that `connection` may take now.
    private func firstQueued(for connection: any PooledConnection) -> ActiveRequest? {
        queue.first {
            $0.head.host == connection.host && $0.options.security == connection.security
                && connection.accepts($0)
        }
    }

    private func open(for request: ActiveRequest) {
        let isCaptive = network.path.condition == .captive
        let security = request.options.security
        let known = sessions.contains { $0.host == request.head.host && $0.security == security }
        let isResumed = settings.resumesSessions && known
        let costs = SecurityCosts(
            security,
            isResumed: isResumed,
            isEarly: settings.sendsEarlyData && request.isSafe
        )
        let host = network.internet.host(request.head.host)
        let responder: any HTTPResponder
        var availability: () -> Internet.Availability
        if isCaptive {
            responder = CaptivePortal()
            availability = { security == .none ? .up : .refusing }
        } else if let host {
            (responder, availability) = route(to: host)
        } else {
            return abandon(request, .dnsLookupFailed)
        }
        // QUIC is always encrypted, with TLS 1.3 (RFC 9001); a portal speaks neither, and a proxy lets no UDP by.
        let isDirect = !isCaptive && network.proxy == nil
        if settings.applicationProtocol == .http3, security == .tls13, isDirect {
            connections.append(
                HTTP3Connection(
                    for: request,
                    engine: self,
                    responder: responder,
                    availability: availability,
                    costs: costs
                )
            )
            return
        }
        // A portal speaks the old protocol; nobody speaks the new one in clear.
        if settings.applicationProtocol != .http1, security != .none, !isCaptive {
            connections.append(
                MultiplexedConnection(
                    for: request,
                    engine: self,
                    responder: responder,
                    availability: availability,
                    costs: costs
                )
            )
            return
        }
        connections.append(
            HTTPConnection(
                for: request,
                engine: self,
                responder: responder,
                availability: availability,
                isPortal: isCaptive,
                costs: costs
            )
        )
    }

    /// A connection may take a request.
    func connectionIsFree(_ connection: any PooledConnection) {
        while connection.isReusable, let request = firstQueued(for: connection) {
            queue.removeAll { $0 === request }
            connection.begin(request)
        }
    }

    /// Whether a request waits that this connection could take.
    func hasWaiting(_ connection: any PooledConnection) -> Bool {
        firstQueued(for: connection) != nil
    }

    /// A connection broke; its requests, or those it was opened for, learn of it.
    func connectionFailed(
        _ connection: any PooledConnection,
        requests broken: [ActiveRequest],
        wasOpening: Bool,
        _ failure: TransportFailure
    ) {
        if wasOpening {
            // The oldest that waits has waited for this one; or all have, where it is shared.
            while let request = firstQueued(connection.host, connection.security) {
                abandon(request, failure)
                guard connection.isShared else { break }
            }
        }
        for request in broken {
            if mayRetry(request, on: connection, failure) {
                request.wasRetried = true
                request.handedOver = 0
                request.stage = .queued
                queue.insert(request, at: 0)
            } else {
                abandon(request, failure)
            }
        }
        assign(host: connection.host, connection.security)
    }

    private func mayRetry(
        _ request: ActiveRequest,
        on connection: any PooledConnection,
        _ failure: TransportFailure
    ) -> Bool {
        connection.wasUsed && !request.wasRetried && !request.hasResponseHead
            && request.isIdempotent && failure == .networkConnectionLost && network.path.hasRoute
    }

    /// A connection is closed for good.
    func forget(_ connection: any PooledConnection) {
        connections.removeAll { $0 === connection }
    }

    /// A TLS session was set up that a later connection may resume.
    func rememberSession(host: String, security: TransportSecurity) {
        guard !sessions.contains(where: { $0.host == host && $0.security == security }) else {
            return
        }
        sessions.append((host, security))
    }

    // MARK: The end of a request

    /// A response was taken in whole.
    func complete(_ request: ActiveRequest) {
        let events = retire(request)
        events?.finished(request.token)
    }

    /// Ends a request without a whole response; nil for one that was taken back.
    func abandon(_ request: ActiveRequest, _ failure: TransportFailure?) {
        let connection = request.connection
        let ideal = request.ideal
        let wasQueued = request.stage == .queued
        let events = retire(request)
        request.connection = nil
        ideal?.abandoned()
        connection?.drop(request, failure == .timedOut ? .timedOut : .reset)
        if wasQueued { dropNeedlessOpening(request.head.host, request.options.security) }
        if let failure { events?.failed(failure, of: request.token) }
        if let connection { assign(host: connection.host, connection.security) }
    }

    /// Nobody waits any more for a connection that still opens: it is given up, newest first.
    private func dropNeedlessOpening(_ host: String, _ security: TransportSecurity) {
        let waiting = queue.count { $0.head.host == host && $0.options.security == security }
        let opening = connections.filter {
            $0.host == host && $0.security == security && $0.isOpening
        }
        guard let newest = opening.last else { return }
        if newest.isShared ? waiting == 0 : opening.count > waiting { newest.abort(.timedOut) }
    }

    private func retire(_ request: ActiveRequest) -> (any HTTPClientEvents)? {
        let events = request.events
        request.events = nil
        request.stage = .done
        requests[request.token] = nil
        queue.removeAll { $0 === request }
        return events
    }
}
