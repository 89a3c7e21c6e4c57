import Profiles
import Quantities
import SimulationKernel

/// Faults of what is stored, of half a body, and of a phone that is replaced.
///
/// All are survivable: a client that keeps its promises keeps them under each of these.
extension HuntPool {
    /// Each of them at each place that a good run offers.
    static func storage(_ census: RunCensus) -> [FaultEntry] {
        bodies(census) + locks(census) + restores(census)
    }

    /// A request whose body is cut after a part, and answers that end in good order or say less.
    ///
    /// 1,500 bytes are a packet's worth; the largest head of an answer is smaller (assumptions).
    private static func bodies(_ census: RunCensus) -> [FaultEntry] {
        (0..<census.requests.count).flatMap { index in
            let place = FaultPlacement.request(route: nil, nth: index + 1)
            return [
                FaultEntry(.loseRequest(afterBytes: 1_500, .reset), place),
                FaultEntry(.loseRequest(afterBytes: 1_500, .blackhole), place),
                FaultEntry(.loseResponse(afterBytes: 0, .close), place),
                FaultEntry(.loseResponse(afterBytes: 60, .close), place),
            ]
        }
    }

    private static func locks(_ census: RunCensus) -> [FaultEntry] {
        let databases = Set(census.operations.map(\.databaseFile)).subtracting([""]).sorted()
        var effects: [FaultEffect] = [
            .lockFiles(.all, for: .seconds(15)),
            .suspendLockHolder(relaunch: relaunch),
        ]
        effects += databases.map { .holdDatabase(name: $0, for: .seconds(8)) }
        if census.operations.contains(where: { $0.subject.hasSuffix(".image") }) {
            effects.append(.purgeCache(folder: FaultEffect.cacheFolder))
        }
        let anchors = [
            FaultAnchor.appLaunched, .requestSent, .responseReceived, .databaseCommit,
        ]
        return effects.flatMap { effect in
            anchors.flatMap { anchor in
                (0..<(census.anchors[anchor.rawValue] ?? 0)).map {
                    FaultEntry(effect, .after(anchor, nth: $0 + 1))
                }
            }
        }
    }

    /// A second process of the app, from each place on where it can meet the first one at work.
    ///
    /// It runs for 90 s: between the half minute that iOS gives a notification service and the ten minutes that
    /// Android gives a worker (an assumption).
    static func secondProcesses(_ census: RunCensus) -> [FaultEntry] {
        guard census.hasSecondProcess else { return [] }
        let anchors = [
            FaultAnchor.appLaunched, .requestSent, .serverEffect, .databaseCommit,
        ]
        return anchors.flatMap { anchor in
            (0..<(census.anchors[anchor.rawValue] ?? 0)).map {
                FaultEntry(.secondProcess(for: .seconds(90)), .after(anchor, nth: $0 + 1))
            }
        }
    }

    /// A backup from just before each request; the phone is replaced as soon as an answer is there.
    private static func restores(_ census: RunCensus) -> [FaultEntry] {
        let answers = census.anchors[FaultAnchor.responseReceived.rawValue] ?? 0
        return census.instants.flatMap { instant in
            let taken = max(Duration.zero, (instant - SimulationInstant.zero) - .milliseconds(300))
            return (0..<answers).map { number in
                FaultEntry(
                    .restoreBackup(taken: taken, relaunch: .seconds(5)),
                    .after(.responseReceived, nth: number + 1)
                )
            }
        }
    }
}
