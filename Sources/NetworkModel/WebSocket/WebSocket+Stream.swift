import Quantities
import SimulationKernel
import Trace

/// What comes in, and the heartbeat.
extension WebSocket: TCPEndpointUser {
    func opened(_ endpoint: TCPEndpoint) {
        guard isClient else { return }
        if costs.flights.isEmpty { upgrade() } else { write(.handshake(flight: 0)) }
        endpoint.sendPending()
    }

    func received(_ endpoint: TCPEndpoint, upTo offset: Int64) {
        endpoint.consume(upTo: offset)
        lastHeardAt = simulation.instant
        while stage != .closed, let record = incoming.next(before: offset) {
            take(record.content)
        }
        if endpoint.state != .closed { endpoint.sendPending() }
    }

    private func take(_ record: WebSocketRecord) {
        switch record {
        case .handshake(let flight):
            takeFlight(flight)
        case .ticket, .pong:
            break
        case .upgrade:
            write(.accepted)
            becomeOpen()
        case .accepted:
            becomeOpen()
        case .message(let bytes):
            if stage == .open { events?.message(bytes, on: self) }
        case .ping:
            write(.pong)
        case .close:
            // RFC 6455, 5.5.1: a close frame is answered by one; the server then ends the stream.
            if stage == .open { write(.close) }
            let closing = endpoint
            end(.finished, .finished)
            closing?.user = nil
            closing?.finish()
        }
    }

    private func takeFlight(_ flight: Int) {
        if flight + 1 < costs.flights.count {
            write(.handshake(flight: flight + 1))
        } else if !isClient, costs.tickets > 0 {
            write(.ticket)
        }
        guard isClient else { return }
        awaitedFlights -= 1
        if awaitedFlights == 0 { upgrade() }
    }

    func acknowledged(_ endpoint: TCPEndpoint, upTo offset: Int64) {}

    func peerFinished(_ endpoint: TCPEndpoint) {
        endpoint.user = nil
        endpoint.finish()
        end(.reset, .finished)
    }

    func closed(_ endpoint: TCPEndpoint, _ reason: TCPClosing) {
        switch reason {
        case .finished: end(.finished, .finished)
        case .reset: end(.reset, .reset)
        case .refused: end(.refused, .reset)
        case .timedOut: end(.timedOut, .timedOut)
        case .addressLost: end(.addressLost, .addressLost)
        }
    }
}

extension WebSocket: EventReceiver {
    private enum Beat: UInt64 {
        case ping
        case check
    }

    /// Sets the next ping.
    func awaitPing() {
        guard let interval = heartbeat.interval else { return }
        pingEvent = simulation.schedule(
            at: simulation.instant + interval,
            for: self,
            payload: Beat.ping.rawValue
        )
    }

    /// Sends a ping, or looks whether the last one was answered.
    package func receive(_ payload: UInt64, at instant: SimulationInstant) {
        guard stage == .open else { return }
        switch Beat(rawValue: payload) {
        case .ping:
            write(.ping)
            endpoint?.sendPending()
            pingEvent = simulation.schedule(
                at: instant + heartbeat.timeout,
                for: self,
                payload: Beat.check.rawValue
            )
        case .check:
            // Anything that was heard since the ping will do.
            guard lastHeardAt > instant - heartbeat.timeout else { return abort(.unanswered) }
            pingEvent = simulation.schedule(
                at: max(instant, instant + (heartbeat.interval ?? .zero) - heartbeat.timeout),
                for: self,
                payload: Beat.ping.rawValue
            )
        case nil:
            preconditionFailure("a socket's event of kind \(payload)")
        }
    }
}
