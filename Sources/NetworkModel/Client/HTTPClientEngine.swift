import HTTPVocabulary
import Quantities
import SimulationKernel

/// The HTTP client of one app launch: a connection pool, as URLSession keeps one.
///
/// HTTP/1.1 over TCP: at most `settings.connectionsPerHost` connections a host, each with one
/// exchange at a time; further requests wait in order of arrival.
package final class HTTPClientEngine {
    /// What it is set to.
    package let settings: HTTPClientSettings
    /// The way it uses.
    package let network: AccessNetwork

    /// Makes the client of one launch.
    package init(network: AccessNetwork, settings: HTTPClientSettings = .init()) {
        self.network = network
        self.settings = settings
    }

    /// Sends a request; what becomes of it is told to `events`, never before this returns.
    package func send(
        _ head: HTTPRequestHead,
        body: (any RequestBodySource)? = nil,
        options: RequestOptions,
        events: any HTTPClientEvents
    ) -> RequestToken {
        preconditionFailure("not there yet")
    }

    /// Takes a request back: its connection is closed, nothing more is told.
    package func cancel(_ token: RequestToken) {}

    /// Hands over the next piece of the body, for a request that pulls.
    ///
    /// It comes by `bodyChunk` as soon as there is one. What is not pulled fills the receive window.
    package func pull(_ token: RequestToken) {}

    /// The process is gone: the system closes its sockets.
    ///
    /// What lies in a socket's send buffer is still sent, then a FIN; a socket with unread bytes,
    /// or one that bytes come to afterwards, answers with a reset. Nothing more is told.
    package func processDied() {}

    /// The phone lost power: nothing more is sent, and the peers are told nothing.
    package func powerLost() {}
}

/// What an HTTP client is set to.
package struct HTTPClientSettings: Sendable {
    /// Connections to one host; 6 is URLSession's documented default on iOS.
    package var connectionsPerHost = 6
    /// An idle connection is closed after this long; assumption, in the range of common clients.
    package var idleConnectionTimeout: Duration = .seconds(60)
    /// Whether TLS sessions are resumed within one launch.
    package var resumesSessions = false

    /// Makes default settings.
    package init() {}
}
