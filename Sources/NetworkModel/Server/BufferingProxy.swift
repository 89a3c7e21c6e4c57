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

    /// An origin that does not answer is given up after this: nginx's default of `proxy_connect_timeout`.
    private static let patience = Duration.seconds(60)

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
        let forwarded = ForwardedExchange(exchange, proxy: self)
        kept.forwarded = forwarded
        simulation.schedule(at: simulation.instant + settings.originRTT / 2) { [self] in
            switch host.acceptance {
            case .up: forward(forwarded, kept.bytes)
            case .refusing: forwarded.abort()
            case .silent: awaitSilent(forwarded)
            }
        }
    }

    private func forward(_ forwarded: ForwardedExchange, _ bytes: [UInt8]) {
        forwarded.hasBegun = true
        origin.begin(forwarded)
        if !bytes.isEmpty { origin.receive(bytes, of: forwarded) }
        origin.end(forwarded)
    }

    /// Nobody answers there: the phone learns of it when the proxy's patience is at its end (RFC 9110, 15.6.5).
    private func awaitSilent(_ forwarded: ForwardedExchange) {
        let left = max(.zero, Self.patience - settings.originRTT)
        simulation.schedule(at: simulation.instant + left) {
            forwarded.respond(HTTPResponseMessage(status: 504))
        }
    }

    /// The phone is gone: what is not whole is thrown away, what is goes to the origin all the same.
    func lost(_ exchange: any HTTPExchange) {
        let forwarded = held[ObjectIdentifier(exchange)]?.forwarded
        forget(exchange)
        guard let forwarded else { return }
        simulation.schedule(at: simulation.instant + settings.originRTT / 2) { [self] in
            if forwarded.hasBegun, !forwarded.isAnswered { origin.lost(forwarded) }
        }
    }

    /// The origin's answer goes to the phone after its way to the proxy.
    fileprivate func pass(_ response: HTTPResponseMessage, to exchange: any HTTPExchange) {
        simulation.schedule(at: simulation.instant + settings.originRTT / 2) { [self] in
            forget(exchange)
            exchange.respond(response)
        }
    }

    private func forget(_ exchange: any HTTPExchange) {
        held[ObjectIdentifier(exchange)] = nil
    }
}

/// A request as the origin sees it: it came from the proxy.
private final class ForwardedExchange: HTTPExchange {
    private let outer: any HTTPExchange
    private let proxy: BufferingProxy
    private(set) var isAnswered = false
    var hasBegun = false

    init(_ outer: any HTTPExchange, proxy: BufferingProxy) {
        self.outer = outer
        self.proxy = proxy
    }

    var number: Int64 { outer.number }
    var device: Int { outer.device }
    var clientState: HTTPClientState? { outer.clientState }
    var head: HTTPRequestHead { outer.head }

    func respond(_ response: HTTPResponseMessage) {
        guard !isAnswered else { return }
        isAnswered = true
        proxy.pass(response, to: outer)
    }

    /// An origin that breaks off is a bad gateway to the phone (RFC 9110, 15.6.3).
    func abort() {
        respond(HTTPResponseMessage(status: 502))
    }
}
