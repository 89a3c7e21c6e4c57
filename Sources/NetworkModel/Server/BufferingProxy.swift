import HTTPVocabulary
import Quantities
import SimulationKernel

/// Stands between a connection and the origin's responder.
final class BufferingProxy: HTTPResponder {
    private final class Held {
        var bytes: [UInt8] = []
        var forwarded: ForwardedExchange?
        var isRefused = false
    }

    /// An origin of which nothing was heard for so long is given up: nginx's `proxy_connect_timeout` and
    /// `proxy_read_timeout` are both 60 s by default.
    private static let patience = Duration.seconds(60)
    /// A SYN that nobody answers is sent again after this, then after twice as long, and so on (RFC 6298, 2 and 5.5).
    private static let firstResend = Duration.seconds(1)

    private let settings: ProxySettings
    private let host: Internet.Host
    private let simulation: Simulation
    /// By the exchange's identity; looked up, never walked.
    private var held: [ObjectIdentifier: Held] = [:]

    init(_ settings: ProxySettings, origin host: Internet.Host, simulation: Simulation) {
        self.settings = settings
        self.host = host
        self.simulation = simulation
    }

    private var origin: any HTTPResponder { host.responder }

    /// The proxy is there, whatever the origin does.
    var acceptsConnections: Bool { true }

    func begin(_ exchange: any HTTPExchange) {
        let kept = Held()
        held[ObjectIdentifier(exchange)] = kept
        guard let most = settings.largestBody, Int64(exchange.head.bodyLength) > most.bytes else {
            return
        }
        kept.isRefused = true
        exchange.respond(HTTPResponseMessage(status: 413))
    }

    func receive(_ bytes: [UInt8], of exchange: any HTTPExchange) {
        guard let kept = held[ObjectIdentifier(exchange)], !kept.isRefused else { return }
        kept.bytes += bytes
    }

    func end(_ exchange: any HTTPExchange) {
        guard let kept = held[ObjectIdentifier(exchange)] else { return }
        guard !kept.isRefused else { return forget(exchange) }
        let forwarded = ForwardedExchange(exchange, kept.bytes, proxy: self)
        kept.bytes = []
        kept.forwarded = forwarded
        heardOrigin(forwarded)
        ask(forwarded, resend: Self.firstResend)
    }

    /// Its patience begins anew: with the request, and with whatever the origin says.
    private func heardOrigin(_ forwarded: ForwardedExchange) {
        simulation.cancel(forwarded.deadline)
        forwarded.deadline = simulation.schedule(at: simulation.instant + Self.patience) { [self] in
            giveUp(forwarded)
        }
    }

    /// Sends the request on: at once over a connection that is open, or by a SYN if the origin was silent before.
    private func ask(_ forwarded: ForwardedExchange, resend: Duration) {
        guard !forwarded.isAnswered else { return }
        let isFirst = resend == Self.firstResend
        let next = simulation.instant + max(resend, settings.originRTT / 2)
        afterHalfWay { [self] in
            guard !forwarded.isAnswered else { return }
            switch host.acceptance {
            case .up where isFirst: forward(forwarded)
            case .up: openConnection(forwarded)
            case .refusing: forwarded.abort()
            case .silent:
                simulation.schedule(at: next) { [self] in ask(forwarded, resend: resend * 2) }
            }
        }
    }

    /// The origin has a SYN: its answer goes to the proxy, and then the request to the origin.
    private func openConnection(_ forwarded: ForwardedExchange) {
        afterHalfWay { [self] in
            guard !forwarded.isAnswered else { return }
            heardOrigin(forwarded)
            afterHalfWay { [self] in forward(forwarded) }
        }
    }

    private func forward(_ forwarded: ForwardedExchange) {
        forwarded.hasBegun = true
        origin.begin(forwarded)
        let bytes = forwarded.takeBody()
        if !bytes.isEmpty { origin.receive(bytes, of: forwarded) }
        origin.end(forwarded)
    }

    /// Its patience is at its end: the phone is told by the proxy itself (RFC 9110, 15.6.5).
    private func giveUp(_ forwarded: ForwardedExchange) {
        guard !forwarded.isAnswered else { return }
        forwarded.isAnswered = true
        breakOff(forwarded)
        forget(forwarded.outer)
        forwarded.outer.respond(HTTPResponseMessage(status: 504))
    }

    /// The proxy closes its connection; an origin that is at work learns of it.
    private func breakOff(_ forwarded: ForwardedExchange) {
        afterHalfWay { [self] in
            if forwarded.hasBegun, !forwarded.isAnsweredByOrigin { origin.lost(forwarded) }
        }
    }

    private func afterHalfWay(_ body: @escaping () -> Void) {
        simulation.schedule(at: simulation.instant + settings.originRTT / 2, body)
    }

    /// The phone is gone: what is not whole is thrown away, what is goes to the origin all the same.
    func lost(_ exchange: any HTTPExchange) {
        let forwarded = held[ObjectIdentifier(exchange)]?.forwarded
        forget(exchange)
        guard let forwarded, !forwarded.isAnswered else { return }
        if forwarded.hasBegun {
            forwarded.isAnswered = true
            simulation.cancel(forwarded.deadline)
        }
        breakOff(forwarded)
    }

    /// The origin's answer goes to the phone after its way to the proxy.
    fileprivate func pass(_ response: HTTPResponseMessage, of forwarded: ForwardedExchange) {
        simulation.cancel(forwarded.deadline)
        afterHalfWay { [self] in
            forget(forwarded.outer)
            forwarded.outer.respond(response)
        }
    }

    private func forget(_ exchange: any HTTPExchange) {
        held[ObjectIdentifier(exchange)] = nil
    }
}

/// A request as the origin sees it: it came from the proxy.
private final class ForwardedExchange: HTTPExchange {
    let outer: any HTTPExchange
    private let proxy: BufferingProxy
    private var body: [UInt8]
    /// The phone has its answer, or nobody waits for one.
    var isAnswered = false
    private(set) var isAnsweredByOrigin = false
    var hasBegun = false
    /// When the proxy gives the origin up.
    var deadline = EventHandle.none

    init(_ outer: any HTTPExchange, _ body: [UInt8], proxy: BufferingProxy) {
        self.outer = outer
        self.body = body
        self.proxy = proxy
    }

    var number: Int64 { outer.number }
    var device: Int { outer.device }
    var clientState: HTTPClientState? { outer.clientState }
    var clientBegan: Int64? { outer.clientBegan }
    var clientAnswered: Int64? { outer.clientAnswered }
    var head: HTTPRequestHead { outer.head }

    /// The body, once.
    func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    func respond(_ response: HTTPResponseMessage) {
        isAnsweredByOrigin = true
        guard !isAnswered else { return }
        isAnswered = true
        proxy.pass(response, of: self)
    }

    /// An origin that breaks off is a bad gateway to the phone (RFC 9110, 15.6.3).
    func abort() {
        respond(HTTPResponseMessage(status: 502))
    }
}
