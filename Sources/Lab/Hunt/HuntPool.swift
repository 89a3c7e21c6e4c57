import NetworkModel
import Profiles
import Quantities
import ServerModel
import Trace

/// Every single fault that a good run offers a place for: made from its census alone.
///
/// Nothing here knows the client: places are the calls it was seen to make and the answers it was
/// seen to get. Durations and statuses are assumptions, chosen to be survivable: a client that keeps
/// its promises keeps them under each of these.
package struct HuntPool: Sendable {
    /// How long an app stays dead before it is opened again.
    static let relaunch = Duration.seconds(2)

    /// Deaths at each durable operation, before and after it.
    package private(set) var kills: [FaultEntry] = []
    /// The loss of each answer.
    package private(set) var lostResponses: [FaultEntry] = []
    /// All of them, the most telling kinds first.
    package private(set) var all: [FaultEntry] = []

    /// Whether somebody is signed in.
    let hasSession: Bool
    /// Whether a file is sent.
    let hasUploads: Bool

    /// Makes the pool of a good run.
    package init(_ census: RunCensus) {
        lostResponses = (0..<census.requests.count).map {
            FaultEntry(.loseResponse(afterBytes: 0, .reset), .request(route: nil, nth: $0 + 1))
        }
        kills = Self.deaths(census, .killProcess(relaunch: Self.relaunch))
        hasSession = census.hasSession
        hasUploads = !census.uploads.isEmpty
        all =
            lostResponses + kills + Self.session(census) + Self.uploads(census)
            + Self.secondProcesses(census)
        all += Self.refusals(census)
        all += Self.deaths(census, .losePower(relaunch: Self.relaunch))
        all += Self.requestFaults(census)
        all += Self.anchored(census)
        all += Self.timed(census)
        all += Self.storage(census)
    }

    private static func deaths(_ census: RunCensus, _ effect: FaultEffect) -> [FaultEntry] {
        census.durableOperations.flatMap { operation in
            EffectPlace.Side.allCases.compactMap { side in
                place(of: operation, side).map { FaultEntry(effect, $0) }
            }
        }
    }

    /// Meaning first: a write of a module's commit is named by the commit.
    private static func place(
        of operation: RunCensus.Operation,
        _ side: EffectPlace.Side
    ) -> FaultPlacement? {
        if side == .before, operation.commit > 0 {
            for anchor in [FaultAnchor.outboxCommit, .uploadCommit]
            where anchor.database(matches: operation.database) {
                return .during(anchor, nth: operation.commit, effect: operation.write)
            }
        }
        guard let verb = EffectPlace.Verb(rawValue: operation.verb) else { return nil }
        return .inside(
            EffectPlace(
                verb,
                of: operation.subject,
                nth: operation.nth,
                launch: operation.launch,
                side: side
            )
        )
    }

    /// One thing that the server refuses for good, and errors that pass, at each request.
    private static func refusals(_ census: RunCensus) -> [FaultEntry] {
        var entries = census.effects.map { effect in
            script(ErrorScript(identity: effect.identity, status: 422, times: nil))
        }
        for number in 1...max(1, census.requests.count) {
            entries.append(script(ErrorScript(nth: number, status: 500)))
            entries.append(script(ErrorScript(nth: number, status: 503, retryAfter: .seconds(5))))
            entries.append(script(ErrorScript(nth: number, status: 429, retryAfter: .seconds(5))))
        }
        return entries
    }

    private static func script(_ script: ErrorScript) -> FaultEntry {
        FaultEntry(.answerError(script), .request(route: script.route, nth: script.nth ?? 1))
    }

    private static func requestFaults(_ census: RunCensus) -> [FaultEntry] {
        (1...max(1, census.requests.count)).flatMap { number in
            [
                FaultEntry(
                    .loseRequest(afterBytes: 0, .reset),
                    .request(route: nil, nth: number)
                ),
                FaultEntry(
                    .loseRequest(afterBytes: 0, .blackhole),
                    .request(route: nil, nth: number)
                ),
                FaultEntry(
                    .loseResponse(afterBytes: 40, .blackhole),
                    .request(route: nil, nth: number)
                ),
            ]
        }
    }

    /// What can strike as soon as something has happened, at each time that it happened.
    private static func anchored(_ census: RunCensus) -> [FaultEntry] {
        let effects: [FaultEffect] = [
            .resetConnections,
            .interruptNetwork(.down, for: .seconds(20)),
            .interruptNetwork(.blackhole, for: .seconds(45)),
            .forceQuit(relaunch: .seconds(10)),
            .fillDisk(free: .zero, for: .seconds(15)),
            .jumpClock(by: .seconds(7_200)),
            .jumpClock(by: .seconds(-7_200)),
            .pressMemory(.critical, for: .seconds(5)),
        ]
        let anchors = [
            FaultAnchor.appLaunched, .requestSent, .serverEffect, .responseReceived,
            .databaseCommit,
        ]
        return effects.flatMap { effect in
            anchors.flatMap { anchor in
                (0..<(census.anchors[anchor.rawValue] ?? 0)).map {
                    FaultEntry(effect, .after(anchor, nth: $0 + 1))
                }
            }
        }
    }

    /// A token that ends before its time, and a session that the server ends, wherever somebody is signed in.
    private static func session(_ census: RunCensus) -> [FaultEntry] {
        guard census.hasSession else { return [] }
        return [FaultEffect.expireToken, .revokeSession].flatMap { effect in
            [FaultAnchor.requestSent, .responseReceived, .serverEffect].flatMap { anchor in
                (0..<(census.anchors[anchor.rawValue] ?? 0)).map {
                    FaultEntry(effect, .after(anchor, nth: $0 + 1))
                }
            }
        }
    }

    /// Outages that begin a little before each request.
    private static func timed(_ census: RunCensus) -> [FaultEntry] {
        census.instants.map { instant in
            let start = max(Duration.zero, (instant - SimulationInstant.zero) - .milliseconds(200))
            return FaultEntry(
                .refuse(status: 503, retryAfter: .seconds(10), route: nil, for: .seconds(25)),
                .at(start)
            )
        }
    }
}
