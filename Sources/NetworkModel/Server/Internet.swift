import HTTPVocabulary

/// The hosts that can be reached, and who answers for each.
///
/// Shared by all phones of a world.
package final class Internet {
    /// What a host does with a connection request.
    package enum Availability: String, Sendable, CaseIterable {
        /// Accepts.
        case up
        /// Answers a SYN with a reset: the machine is there, the server is not.
        case refusing
        /// Answers nothing: the machine is gone.
        case silent
    }

    final class Host {
        let name: String
        let responder: any HTTPResponder
        var availability = Availability.up

        init(name: String, responder: any HTTPResponder) {
            self.name = name
            self.responder = responder
        }

        /// What it does with a SYN now.
        var acceptance: Availability {
            availability == .up && !responder.acceptsConnections ? .refusing : availability
        }
    }

    private var connectionCount: Int64 = 0
    private var hosts: [String: Host] = [:]
    private var fallback: (any HTTPResponder)?

    /// Makes an internet without hosts: every name lookup fails.
    package init() {}

    /// Lets `responder` answer for `host`.
    package func register(_ host: String, responder: any HTTPResponder) {
        hosts[host] = Host(name: host, responder: responder)
    }

    /// Changes what `host` does with new connections; traps if it is not registered.
    ///
    /// Open connections go on: a server that crashes also aborts its exchanges.
    package func setAvailability(_ availability: Availability, of host: String) {
        guard let known = hosts[host] else { preconditionFailure("\(host) is not registered") }
        known.availability = availability
    }

    /// The world is over: no host is there any more.
    package func discard() {
        hosts = [:]
        fallback = nil
    }

    func nextConnectionNumber() -> Int64 {
        connectionCount += 1
        return connectionCount
    }

    /// Lets `responder` answer for every host that is not registered: no name lookup fails.
    package func answerEveryHost(with responder: any HTTPResponder) {
        fallback = responder
    }

    func host(_ name: String) -> Host? {
        if let known = hosts[name] { return known }
        guard let fallback else { return nil }
        let host = Host(name: name, responder: fallback)
        hosts[name] = host
        return host
    }
}
