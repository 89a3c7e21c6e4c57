import NetworkModel
import Quantities
import ServerModel
import Trace

/// Something that goes wrong, when, and for how long; it heals by itself.
package struct FaultEntry: Equatable, Sendable {
    /// The place in the profile's list, from zero: what `Observation.fault(index:)` reports.
    package var index: Int
    /// What is done to whom.
    package var effect: FaultEffect
    /// When it strikes.
    package var placement: FaultPlacement
    /// Whether the run fails as vacuous if this never fires.
    package var isStrict: Bool
    /// Where the profile says so.
    package var location: SourceLocation

    /// Makes a fault.
    package init(
        index: Int,
        effect: FaultEffect,
        placement: FaultPlacement,
        isStrict: Bool = true,
        location: SourceLocation
    ) {
        self.index = index
        self.effect = effect
        self.placement = placement
        self.isStrict = isStrict
        self.location = location
    }

    /// The name in the profile.
    package var kind: FaultKind { effect.kind }

    /// Whether it can only happen to a built-in module, so that conditions leave it out.
    package var namesModule: Bool { placement.anchor?.isOfModule ?? false }

    /// When it is over at the latest, if it is placed by the clock.
    package var latestEnd: Duration? {
        guard case .at(let instant) = placement else { return nil }
        return instant + (effect.duration ?? .zero)
    }
}

/// When a fault strikes.
package enum FaultPlacement: Equatable, Sendable {
    /// At an instant, counted from the start of the run.
    case at(Duration)
    /// As soon as something has happened for the `nth` time, counted from one.
    case after(FaultAnchor, nth: Int)
    /// Within the `nth` occurrence of something that takes several disk effects: at the `effect`-th.
    case during(FaultAnchor, nth: Int, effect: Int)
    /// At the `nth` request on a route, counted from one; nil for any route.
    case request(route: String?, nth: Int)
    /// In a call that the app makes to the phone, such as the third write of a file.
    case inside(EffectPlace)
    /// Again and again at the instants of a Poisson process of this mean interval, until settling.
    case poisson(mean: Duration)

    /// The anchor, if it has one.
    package var anchor: FaultAnchor? {
        switch self {
        case .after(let anchor, _), .during(let anchor, _, _): anchor
        case .at, .request, .poisson, .inside: nil
        }
    }
}

/// How a connection looks to the phone after a request or a response was lost on it.
package enum LossAftermath: String, Sendable, CaseIterable {
    /// A reset arrives: the client is told at once.
    case reset
    /// Packets vanish both ways: the client waits for its timeout.
    case blackhole
    /// Of a response alone: the server closes in good order after what got through.
    case close
    /// Of a response alone: the body ends there and its length says so; nobody tells the client.
    case shortened

    /// What can follow a request that was lost.
    package static let ofRequests: [LossAftermath] = [.reset, .blackhole]
}

/// Which of the app's files are protected while the phone is locked.
package enum LockedFiles: Equatable, Sendable {
    /// Every one.
    case all
    /// Those in this folder.
    case folder(String)
    /// This one.
    case file(String)
}

/// What a fault does.
package enum FaultEffect: Equatable, Sendable {
    /// The process is killed, and started again so much later; nil when settling begins.
    case killProcess(relaunch: Duration?)
    /// The user swipes the app away: background work ends too.
    case forceQuit(relaunch: Duration?)
    /// The phone loses power: what was not synced may be torn or lost.
    case losePower(relaunch: Duration?)
    /// The server acts; of its answer, only so many bytes arrive.
    case loseResponse(afterBytes: Int, LossAftermath)
    /// The server never sees the request, or only so many bytes of its body.
    case loseRequest(afterBytes: Int, LossAftermath)
    /// The path is down, a blackhole or captive for a time.
    case interruptNetwork(PathInterruption.Kind, for: Duration)
    /// Every open connection is reset.
    case resetConnections
    /// The server answers an error for a time, on one route or on all.
    case refuse(status: Int, retryAfter: Duration?, route: String?, for: Duration)
    /// The server answers requests of one route with an error; route and number are in the script.
    case answerError(ErrorScript)
    /// Only so much of the disk is free for a time.
    case fillDisk(free: ByteCount, for: Duration)
    /// The wall clock jumps by this, forward or back.
    case jumpClock(by: Duration)
    /// The system signals memory pressure for a time.
    case pressMemory(MemoryPressure, for: Duration)
    /// The app is suspended; if it holds a file lock then, iOS kills it (0xdead10cc).
    case suspendLockHolder(relaunch: Duration?)
    /// The phone is locked for a time: protected files cannot be opened, read or changed (EPERM).
    ///
    /// All of them, those of one folder, or one file, by its path below the app's own folder.
    case lockFiles(LockedFiles, for: Duration)
    /// The system empties a cache folder.
    case purgeCache(folder: String)
    /// The phone is replaced by one that is restored from a backup made at `taken`.
    case restoreBackup(taken: Duration, relaunch: Duration?)
    /// Another process of the app holds the write lock of a database for a time.
    case holdDatabase(name: String, for: Duration)
    /// A second process of the app runs on the same store for a time, then the system ends it.
    case secondProcess(for: Duration)
    /// The access token of the person's session ends before its time.
    case expireToken
    /// The server ends the session: the person has to sign in again.
    case revokeSession
    /// The file that an upload is made of is removed, or lies elsewhere from now on.
    case removeSource(of: String)
    /// An editor saves the file that an upload is made of: another file, as long as before, with other bytes.
    case changeSource(of: String)
    /// The person takes an upload back.
    case cancelUpload(of: String)
    /// The person asks once more for an upload that is not there yet.
    case retryUpload(of: String)

    /// The folder that the system empties unless a profile says another: the image cache's.
    package static let cacheFolder = "images"

    /// How long it lasts, if it lasts.
    package var duration: Duration? {
        switch self {
        case .interruptNetwork(_, let duration), .refuse(_, _, _, let duration),
            .fillDisk(_, let duration), .pressMemory(_, let duration),
            .lockFiles(_, let duration), .holdDatabase(_, let duration),
            .secondProcess(let duration):
            duration
        case .killProcess(let relaunch), .forceQuit(let relaunch), .losePower(let relaunch),
            .suspendLockHolder(let relaunch), .restoreBackup(_, let relaunch):
            relaunch
        case .loseResponse, .loseRequest, .resetConnections, .answerError, .jumpClock,
            .purgeCache, .expireToken, .revokeSession, .removeSource, .changeSource,
            .cancelUpload, .retryUpload:
            nil
        }
    }

    /// The name in the profile.
    package var kind: FaultKind {
        switch self {
        case .killProcess: .processKill
        case .forceQuit: .processForceQuit
        case .losePower: .powerLoss
        case .loseResponse: .responseLost
        case .loseRequest: .requestLost
        case .interruptNetwork(.down, _): .networkDown
        case .interruptNetwork(.blackhole, _): .networkBlackhole
        case .interruptNetwork(.captive, _): .networkCaptive
        case .resetConnections: .connectionReset
        case .refuse: .serverUnavailable
        case .answerError: .serverError
        case .fillDisk: .diskFull
        case .jumpClock: .clockJump
        case .pressMemory: .memoryPressure
        case .suspendLockHolder: .processDead10cc
        case .lockFiles: .diskLocked
        case .purgeCache: .cachePurged
        case .restoreBackup: .backupRestored
        case .holdDatabase: .databaseBusy
        case .expireToken: .tokenExpired
        case .revokeSession: .tokenRevoked
        case .removeSource: .sourceRemoved
        case .changeSource: .sourceChanged
        case .cancelUpload: .uploadCancel
        case .retryUpload: .uploadRetry
        case .secondProcess: .processSecond
        }
    }
}
