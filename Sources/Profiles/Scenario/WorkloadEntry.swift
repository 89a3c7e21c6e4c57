import Quantities
import Trace

/// Something that the person or the system does on the phone, once or again and again.
package struct WorkloadEntry: Equatable, Sendable {
    /// The place in the profile's list, from zero: the key of its random streams.
    package var index: Int
    /// What is done.
    package var action: WorkloadAction
    /// When.
    package var schedule: WorkloadSchedule
    /// Where the profile says so.
    package var location: SourceLocation

    /// Whether it rides on another app, which has woken the phone.
    package var rides: Bool {
        if case .with = schedule { true } else { false }
    }

    /// Makes an entry.
    package init(
        index: Int,
        action: WorkloadAction,
        schedule: WorkloadSchedule,
        location: SourceLocation
    ) {
        self.index = index
        self.action = action
        self.schedule = schedule
        self.location = location
    }
}

/// When an entry of the workload happens, counted from the start of the run.
package enum WorkloadSchedule: Equatable, Sendable {
    /// At these instants; at least one, in the order of the file.
    case at([Duration])
    /// `count` times: first at `from`, each next one a drawn interval later.
    case every(QuantityRange<Duration>, from: Duration, count: Int)
    /// As `every`, but how often and from when is drawn once a seed: each seed is another user.
    case drawn(QuantityRange<Duration>, from: QuantityRange<Duration>, count: ClosedRange<Int>)
    /// As each use of the radio by this other app ends, for as long as the run is active.
    case with(String)

    /// How often it happens; zero where another app decides.
    package var count: Int {
        switch self {
        case .at(let instants): instants.count
        case .every(_, _, let count): count
        case .drawn(_, _, let count): count.upperBound
        case .with: 0
        }
    }

    /// The last instant at which it can happen.
    package var latest: Duration {
        switch self {
        case .at(let instants): instants.max() ?? .zero
        case .every(let interval, let from, let count): from + interval.upper * (count - 1)
        case .drawn(let interval, let from, let count):
            from.upper + interval.upper * (count.upperBound - 1)
        case .with: .zero
        }
    }

    /// The earliest instant at which its last occurrence can be.
    package var earliestEnd: Duration {
        switch self {
        case .at, .with: latest
        case .drawn(let interval, let from, let count):
            from.lower + interval.lower * (count.lowerBound - 1)
        case .every(let interval, let from, let count): from + interval.lower * (count - 1)
        }
    }
}

/// What is done.
package enum WorkloadAction: Equatable, Sendable {
    /// Sends a message of a drawn size through the outbox; `conversations` take turns.
    case sendMessage(size: QuantityRange<ByteCount>, conversations: Int)
    /// Taps a like button `taps` times within a span; only the last intent has to arrive.
    case toggleLike(taps: Int, within: Duration)
    /// Uploads a file of a drawn size through the resumable uploader.
    case upload(UploadKind, size: QuantityRange<ByteCount>)
    /// Takes an upload back, by its name such as "file-1".
    case cancelUpload(of: String)
    /// Asks once more for an upload of that name, as one does after it failed.
    case retryUpload(of: String)
    /// Calls the server and waits; see `RequestAction`.
    case request(RequestAction)
    /// Declares radio activity from first to last packet, with no packets of its own (textbook figures).
    case radioActivity(RadioActivityAction)
    /// Inserts rows into a SQLite database on the phone's disk; see `InsertAction`.
    case insertRows(InsertAction)
    /// Flings a list; see `ScrollAction`.
    case scrollList(ScrollAction)
    /// The app's main thread does nothing else for so long.
    case blockMain(lasts: Duration)
    /// Leaves the app for another; see `LeaveAction`.
    case leaveApp(LeaveAction)
    /// Takes the phone out, uses the app, and puts the phone away with its screen dark.
    case useApp(lasts: Duration)
    /// A push comes; see `PushAction`.
    case receivePush(PushAction)
    /// The phone is carried about.
    case carry(lasts: Duration)
    /// The phone is plugged in.
    case charge(lasts: Duration)

    /// What calls of the app ask of the server, if it is known beforehand.
    package var call: RequestAction? {
        switch self {
        case .request(let request): request
        case .receivePush(let push): push.fetch
        default: nil
        }
    }

    /// What it uploads, if it does.
    package var uploadKind: UploadKind? {
        if case .upload(let kind, _) = self { kind } else { nil }
    }

    /// Whether it means nothing without an operating system's policy.
    package var needsSystem: Bool {
        switch self {
        case .useApp, .receivePush, .carry, .charge: true
        default: false
        }
    }

    /// How long it goes on from when it is begun, as far as the profile says.
    package var length: Duration {
        switch self {
        case .scrollList(let action): action.length
        case .blockMain(let lasts): lasts
        case .leaveApp(let action): action.lasts
        case .useApp(let lasts), .carry(let lasts), .charge(let lasts): lasts
        default: .zero
        }
    }

    /// The verb in the profile.
    package var verb: WorkloadVerb {
        switch self {
        case .sendMessage: .messageSend
        case .toggleLike: .likeToggle
        case .upload(.photo, _): .photoUpload
        case .upload(.video, _): .videoUpload
        case .upload(.file, _): .fileUpload
        case .cancelUpload: .uploadCancel
        case .retryUpload: .uploadRetry
        case .request: .requestSend
        case .radioActivity: .radioActivity
        case .insertRows: .sqliteInsert
        case .scrollList: .listScroll
        case .blockMain: .mainBlock
        case .leaveApp: .appLeave
        case .useApp: .appUse
        case .receivePush: .pushReceive
        case .carry: .phoneCarry
        case .charge: .phoneCharge
        }
    }
}

/// The verbs of a workload, as profiles write them.
package enum WorkloadVerb: String, Sendable, CaseIterable {
    case messageSend = "message.send"
    case likeToggle = "like.toggle"
    case photoUpload = "photo.upload"
    case videoUpload = "video.upload"
    case fileUpload = "file.upload"
    case uploadCancel = "upload.cancel"
    case uploadRetry = "upload.retry"
    case requestSend = "request.send"
    case radioActivity = "radio.activity"
    case sqliteInsert = "sqlite.insert"
    case listScroll = "list.scroll"
    case mainBlock = "main.block"
    case appLeave = "app.leave"
    case appUse = "app.use"
    case pushReceive = "push.receive"
    case phoneCarry = "phone.carry"
    case phoneCharge = "phone.charge"
}

/// What is uploaded: it names the file and the workload verb.
package enum UploadKind: String, Sendable, CaseIterable {
    case photo
    case video
    case file
}

/// Calls to the server through the HTTP client and the retry policy, one after another.
package struct RequestAction: Equatable, Sendable {
    /// Method and path, such as "GET /feed".
    package var route: String
    /// Bytes of each request's body.
    package var bodySize: QuantityRange<ByteCount>
    /// Bytes of each response's body; one size a route.
    package var responseSize: ByteCount
    /// How many calls follow one another, each when the one before has answered.
    package var calls: Int
    /// Whether each call opens its own connection.
    package var connection: ConnectionUse

    /// Whether calls share connections.
    package enum ConnectionUse: String, Sendable, CaseIterable {
        case reused
        case fresh
    }

    /// Makes calls.
    package init(
        route: String,
        bodySize: QuantityRange<ByteCount>,
        responseSize: ByteCount,
        calls: Int,
        connection: ConnectionUse
    ) {
        self.route = route
        self.bodySize = bodySize
        self.responseSize = responseSize
        self.calls = calls
        self.connection = connection
    }
}

/// Activity of the cellular radio that is declared instead of coming from packets.
package struct RadioActivityAction: Equatable, Sendable {
    /// From the first packet to the last.
    package var lasts: Duration
    /// What woke the phone for it.
    package var cause: WakeCause
    /// Who pays for it, such as "poll".
    package var owner: String

    /// Makes an activity.
    package init(lasts: Duration, cause: WakeCause, owner: String) {
        self.lasts = lasts
        self.cause = cause
        self.owner = owner
    }
}

/// Rows inserted into a database of the app, as SQLite does it.
package struct InsertAction: Equatable, Sendable {
    /// How many rows.
    package var rows: Int
    /// How many of them share a transaction.
    package var rowsPerTransaction: Int
    /// Payload bytes of a row.
    package var rowSize: ByteCount
    /// SQLite's journal mode.
    package var journal: Journal
    /// SQLite's synchronous setting.
    package var synchronous: Synchronous
    /// Whether a sync also drains the device's own cache (F_FULLFSYNC), as Apple's disks need.
    package var usesFullSync: Bool
    /// What a row outlives once its commit has returned.
    package var survives: Survival

    /// SQLite's journal modes (sqlite.org/pragma.html#pragma_journal_mode).
    package enum Journal: String, Sendable, CaseIterable {
        case wal
        case delete
    }

    /// SQLite's synchronous settings (sqlite.org/pragma.html#pragma_synchronous).
    package enum Synchronous: String, Sendable, CaseIterable {
        case off
        case normal
        case full
        case extra
    }

    /// What a store promises of what it has committed.
    package enum Survival: String, Sendable, CaseIterable {
        /// The death of the process alone.
        case kill
        /// A loss of power too.
        case powerLoss = "power_loss"
    }

    /// Makes inserts.
    package init(
        rows: Int,
        rowsPerTransaction: Int,
        rowSize: ByteCount,
        journal: Journal,
        synchronous: Synchronous,
        usesFullSync: Bool = false,
        survives: Survival = .powerLoss
    ) {
        self.rows = rows
        self.rowsPerTransaction = rowsPerTransaction
        self.rowSize = rowSize
        self.journal = journal
        self.synchronous = synchronous
        self.usesFullSync = usesFullSync
        self.survives = survives
    }
}
