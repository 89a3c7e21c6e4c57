import HTTPVocabulary
import Quantities
import Trace

extension SimulatedServer {
    /// The server's wall clock, which is true.
    func wallClock(at instant: SimulationInstant) -> WallInstant {
        .worldBegins + (instant - .zero)
    }

    func report(_ observation: Observation, of exchange: any HTTPExchange) {
        observations.report(observation, at: now, device: exchange.device)
    }

    /// Reports that a client did what a standard forbids.
    func violate(_ exchange: any HTTPExchange, route: String, _ rule: String) {
        report(.protocolViolation(ProtocolViolation(route: route, rule: rule)), of: exchange)
    }

    /// Writes a line of the log; the oldest tenth goes when it is full.
    func note(_ exchange: any HTTPExchange, route: String, status: Int, _ outcome: String) {
        if log.count >= max(1, logLimit) { log.removeFirst(max(1, logLimit / 10)) }
        log.append(
            ServerLogEntry(
                instant: now,
                request: exchange.number,
                route: route,
                status: status,
                outcome: outcome
            )
        )
    }

    /// Seconds as `Retry-After` writes them: whole, never fewer than meant.
    static func wholeSeconds(_ span: Duration) -> String {
        let nanoseconds = max(0, span.wholeNanoseconds)
        return String((nanoseconds + 999_999_999) / 1_000_000_000)
    }
}
