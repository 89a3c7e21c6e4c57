/// The names of faults, as profiles write them.
package enum FaultKind: String, Sendable, CaseIterable {
    case processKill = "process.kill"
    case processForceQuit = "process.force_quit"
    case powerLoss = "power.loss"
    case responseLost = "response.lost"
    case requestLost = "request.lost"
    case networkDown = "network.down"
    case networkBlackhole = "network.blackhole"
    case networkCaptive = "network.captive"
    case connectionReset = "connection.reset"
    case serverUnavailable = "server.unavailable"
    case serverError = "server.error"
    case diskFull = "disk.full"
    case clockJump = "clock.jump"
    case memoryPressure = "memory.pressure"
    case processDead10cc = "process.dead10cc"
    case diskLocked = "disk.locked"
    case cachePurged = "cache.purged"
    case backupRestored = "backup.restored"
    case databaseBusy = "database.busy"
    case tokenExpired = "token.expired"
    case tokenRevoked = "token.revoked"
    case sourceRemoved = "source.removed"
    case sourceChanged = "source.changed"
    case uploadCancel = "upload.cancel"
    case uploadRetry = "upload.retry"
    case processSecond = "process.second"

    /// What the lab can do to a world: a profile that asks for more is refused, not ignored.
    package static let supported: Set<FaultKind> = [
        .processKill, .processForceQuit, .powerLoss, .responseLost, .requestLost, .networkDown,
        .networkBlackhole, .networkCaptive, .connectionReset, .serverUnavailable, .serverError,
        .diskFull, .clockJump, .memoryPressure, .processDead10cc, .diskLocked, .cachePurged,
        .backupRestored, .databaseBusy, .tokenExpired, .tokenRevoked,
        .sourceRemoved, .sourceChanged, .uploadCancel, .uploadRetry, .processSecond,
    ]

    /// Whether it is done to the server: in a fleet once, for all.
    package var isOfServer: Bool {
        switch self {
        case .serverUnavailable, .serverError: true
        default: false
        }
    }

    /// Whether it needs somebody who is signed in.
    package var isOfSession: Bool {
        switch self {
        case .tokenExpired, .tokenRevoked: true
        default: false
        }
    }

    /// Whether it needs somebody who sends a file.
    package var isOfUpload: Bool {
        switch self {
        case .sourceRemoved, .sourceChanged, .uploadCancel, .uploadRetry: true
        default: false
        }
    }

    /// Which keys place it, apart from `strict`.
    package var placements: [FaultPlacementKey] {
        switch self {
        case .processKill: [.at, .after, .during, .inside, .randomly]
        case .powerLoss, .processDead10cc: [.at, .after, .during, .inside]
        case .processForceQuit, .networkDown, .networkBlackhole, .networkCaptive, .diskFull,
            .clockJump, .memoryPressure, .diskLocked, .cachePurged, .backupRestored,
            .databaseBusy, .tokenExpired, .tokenRevoked, .sourceRemoved, .sourceChanged,
            .uploadCancel, .uploadRetry, .processSecond:
            [.at, .after]
        case .connectionReset: [.at, .after, .randomly]
        case .serverUnavailable: [.at]
        case .responseLost, .requestLost, .serverError: [.to]
        }
    }
}

/// The keys that say when a fault strikes.
package enum FaultPlacementKey: String, Sendable, CaseIterable {
    case at
    case after
    case during
    case to
    case randomly = "randomly_every"
    case inside = "in"
}

/// What a fault can be placed by: something that happens in a run, counted.
package enum FaultAnchor: String, Sendable, CaseIterable {
    /// The app was started.
    case appLaunched = "app.launched"
    /// The app's HTTP client was asked to send a request.
    case requestSent = "request.sent"
    /// The app was handed a response.
    case responseReceived = "response.received"
    /// The server changed its state.
    case serverEffect = "server.effect"
    /// A commit of any of the app's databases (`during`: its disk effects).
    case databaseCommit = "database.commit"
    /// The outbox kept a promise: an intent is stored.
    case outboxEnqueued = "outbox.enqueued"
    /// The outbox's database commits.
    case outboxCommit = "outbox.commit"
    /// The outbox settled an intent as acknowledged.
    case outboxAcknowledged = "outbox.acknowledged"
    /// The server created an upload.
    case uploadCreated = "upload.created"
    /// The app was handed the answer to a chunk.
    case uploadChunkAcknowledged = "upload.chunk.acknowledged"
    /// The uploader's database commits.
    case uploadCommit = "upload.commit"
    /// The server has all bytes of an upload.
    case uploadCompleted = "upload.completed"

    /// Whether it is something that only a built-in module does.
    package var isOfModule: Bool {
        rawValue.hasPrefix("outbox.") || rawValue.hasPrefix("upload.")
    }

    /// Whether it takes several disk effects, so that a fault can strike during it.
    package var hasInside: Bool {
        switch self {
        case .databaseCommit, .outboxCommit, .uploadCommit: true
        default: false
        }
    }
}
