import HTTPVocabulary
import Quantities
import Trace

extension SimulatedServer {
    /// A time in which every request is answered with an error.
    struct Outage {
        var status: Int
        var retryAfter: Duration?
        var asDate: Bool
        var end: SimulationInstant

        func fields(at now: SimulationInstant, _ server: SimulatedServer) -> [(String, String)] {
            guard let retryAfter else { return [] }
            guard asDate else { return [("Retry-After", SimulatedServer.wholeSeconds(retryAfter))] }
            let date = server.wallClock(at: now) + retryAfter
            return [("Retry-After", HTTPDate.text(date, roundingUp: true))]
        }
    }

    /// A script and what is left of it.
    struct ArmedScript {
        var script: ErrorScript
        /// When the script is over; nil for never.
        var end: SimulationInstant?
        /// Told of each strike.
        var onStrike: (() -> Void)?
        var seen = 0
        var struck = 0
    }

    /// Answers every request whose head arrives before `end` with an error.
    ///
    /// Requests that are being served are served to their end. Replaces an outage that is on.
    /// `Retry-After` is not sent when `retryAfter` is nil; it is a date of HTTP instead of seconds
    /// when `asDate` is true.
    package func setUnavailable(
        status: Int = 503,
        retryAfter: Duration? = nil,
        asDate: Bool = false,
        until end: SimulationInstant
    ) {
        precondition((400...599).contains(status), "\(status) is no error status")
        outage = Outage(status: status, retryAfter: retryAfter, asDate: asDate, end: end)
    }

    /// The same for one route, or for every request without one.
    package func setUnavailable(
        status: Int,
        retryAfter: Duration?,
        route: String?,
        until end: SimulationInstant
    ) {
        guard let route else {
            return setUnavailable(status: status, retryAfter: retryAfter, until: end)
        }
        add(
            ErrorScript(route: route, status: status, retryAfter: retryAfter, times: nil),
            until: end
        )
    }

    /// Resets new connections, and aborts requests that arrive on old ones, until `end`.
    package func refuseConnections(until end: SimulationInstant) {
        refusesConnectionsUntil = end
    }

    /// Ends an outage and the refusal of connections now.
    package func restoreService() {
        outage = nil
        refusesConnectionsUntil = .zero
    }

    /// Answers some requests with an error from now on; earlier scripts go first.
    ///
    /// `end` is when the script is over; `onStrike` is told each time that it is used.
    package func add(
        _ script: ErrorScript,
        until end: SimulationInstant? = nil,
        onStrike: (() -> Void)? = nil
    ) {
        scripts.append(ArmedScript(script: script, end: end, onStrike: onStrike))
    }

    /// How often scripts struck so far, in the order in which they were added.
    package var scriptStrikes: [Int] {
        scripts.map(\.struck)
    }

    /// The error that a script has for a request at a stage of its life.
    ///
    /// Every script counts the requests that pass it at its stage, whether or not it strikes.
    func scriptedError(
        for flight: ServerFlight,
        identity: String?,
        at stage: ErrorScript.Stage
    ) -> ServerAnswer? {
        scriptedError(for: flight, among: identity.map { [$0] } ?? [], at: stage)
    }

    /// The same for a request that is about several things: a script for one of them is for all.
    func scriptedError(
        for flight: ServerFlight,
        among identities: [String],
        at stage: ErrorScript.Stage
    ) -> ServerAnswer? {
        var answer: ServerAnswer?
        for index in scripts.indices where scripts[index].script.stage == stage {
            let script = scripts[index].script
            if let end = scripts[index].end, now >= end { continue }
            guard script.route == nil || script.route == flight.route else { continue }
            guard script.identity.map({ identities.contains($0) }) ?? true else { continue }
            scripts[index].seen += 1
            guard scripts[index].seen >= script.nth ?? 1 else { continue }
            guard scripts[index].struck < script.times ?? .max, answer == nil else { continue }
            scripts[index].struck += 1
            scripts[index].onStrike?()
            let fields = script.retryAfter.map { [("Retry-After", Self.wholeSeconds($0))] }
            answer = .problem(
                script.status,
                "An error that was scripted",
                fields: fields ?? [],
                isRefusal: true
            )
        }
        return answer
    }
}
