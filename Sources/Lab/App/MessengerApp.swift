import ClientModules
import Profiles
import Synchronization

/// The built-in app: a messenger with an outbox for what is said and an uploader for what is shown.
///
/// The modules are those that ship; a test puts others in their place.
package final class MessengerApp: LabApp {
    /// Sends what is said; nil where the workload says nothing.
    private let outbox: (any OutboxDriving)?
    /// Sends files; nil where the workload has none.
    private let uploader: (any UploadDriving)?
    private let caller: PlainCaller
    /// Keeps what the server asked of plain calls and pictures; nil where there are none.
    private let pause: StoredServerPause?
    /// Keeps rows; nil where the workload inserts none.
    private let rows: RowStore?
    private let launch: LaunchContext
    /// Where the screen gets its pictures; nil when nobody looks at any.
    package let images: (any ImageLoading)?
    private let scheduler: RequestScheduler?
    /// Keeps the person signed in; nil where the server asks for no tokens.
    private let session: (any SessionDriving)?
    /// Questions to the server that somebody waits for.
    private let asking = Mutex(0)

    /// Makes the app of one launch around the given modules.
    ///
    /// Without a `pause` a wait that the server asks of plain calls and pictures dies with the process.
    package init(
        launch: LaunchContext,
        outbox: (any OutboxDriving)?,
        uploader: (any UploadDriving)?,
        images: (any ImageLoading)? = nil,
        scheduler: RequestScheduler? = nil,
        session: (any SessionDriving)? = nil,
        pause: StoredServerPause? = nil
    ) {
        self.outbox = outbox
        self.uploader = uploader
        self.images = images
        self.scheduler = scheduler
        self.session = session
        self.launch = launch
        self.pause = pause
        rows = launch.needs.rows.map { _ in
            RowStore(environment: launch.environment, observer: launch.rowObserver)
        }
        caller = PlainCaller(launch: launch, pause: pause?.pause ?? SharedServerPause())
    }

    /// Makes the app with the shipped modules, set as the profile says.
    package static let factory: AppFactory = { launch in
        try make(launch) { signIn in
            try Session(
                environment: launch.environment,
                configuration: launch.configuration.sessionConfiguration(for: launch.server),
                signIn: signIn,
                observer: launch.sessionObserver
            )
        }
    }

    /// Makes the app with the shipped modules around a session, which is asked for where it needs one.
    package static func make(
        _ launch: LaunchContext,
        session: (SessionSignIn) throws -> any SessionDriving
    ) throws -> MessengerApp {
        let session = try launch.signIn.map(session)
        var launch = launch
        var upload = launch.configuration.uploadConfiguration(for: launch.server)
        if let session {
            launch.environment.transport = session.transport
            // What the system carries out goes another way.
            if upload.usesBackgroundTransfers { upload.authorize = session.authorization }
        }
        let pause =
            launch.needs.makesCalls || launch.needs.showsPictures
            ? try StoredServerPause(
                environment: launch.environment,
                retry: launch.configuration.retry.policy
            ) : nil
        let pictures =
            launch.needs.showsPictures
            ? PictureModules(launch, pause: pause?.pause ?? SharedServerPause()) : nil
        return MessengerApp(
            launch: launch,
            outbox: launch.needs.sendsMessages
                ? try Outbox(
                    environment: launch.environment,
                    configuration: launch.configuration.outboxConfiguration(for: launch.server),
                    observer: launch.outboxObserver
                ) : nil,
            uploader: launch.needs.sendsFiles
                ? try ChunkedUploader(
                    environment: launch.environment,
                    configuration: upload,
                    observer: launch.uploadObserver
                ) : nil,
            images: pictures?.cache,
            scheduler: pictures?.scheduler,
            session: session,
            pause: pause
        )
    }

    /// Drains the outbox and goes on with uploads until the process ends.
    package func run() async {
        let outbox = outbox
        let uploader = uploader
        let images = images
        let scheduler = scheduler
        let session = session
        let pause = pause
        let rows = rows
        if let outbox {
            await showConversation(of: outbox)
            await showGivenUp(by: outbox)
        }
        let keeper = BackgroundKeeper(environment: launch.environment) { [self] in
            await needsTime()
        }
        let isRuled = launch.environment.background != nil
        await withTaskGroup(of: Void.self) { group in
            if let outbox { group.addTask { await outbox.run() } }
            if launch.number > 1, let rows, let configuration = launch.needs.rows {
                group.addTask { await rows.tellWhatIsThere(configuration) }
            }
            if let uploader { group.addTask { await uploader.run() } }
            if isRuled { group.addTask { await keeper.run() } }
            if let session { group.addTask { await session.run() } }
            if let pause { group.addTask { await pause.run() } }
            if let scheduler { group.addTask { await scheduler.run() } }
            if let images { group.addTask { await images.run() } }
        }
    }

    /// Goes on with what waited for the person.
    package func signIn(_ signIn: SessionSignIn) async {
        await session?.signIn(signIn)
        await outbox?.signedIn()
        await uploader?.signedIn()
    }

    /// Whether anything is left that the process has to do before it may be suspended.
    private func needsTime() async -> Bool {
        if asking.withLock({ $0 > 0 }) { return true }
        if await outbox?.needsTime() ?? false { return true }
        return await uploader?.needsTime() ?? false
    }

    /// Tells what the person sees after a relaunch.
    private func showConversation(of outbox: any OutboxDriving) async {
        guard launch.number > 1 else { return }
        let database = launch.configuration.outboxConfiguration(for: launch.server).database
        do {
            let shown =
                if let outbox = outbox as? Outbox {
                    try await outbox.read { try Conversation.shown(in: $0) }
                } else {
                    try Conversation.shown(in: launch.environment, database: database)
                }
            for identity in shown { launch.shown(identity) }
        } catch {
            launch.log("the conversation cannot be read: \(error)")
        }
    }

    /// Tells what was given up: the event may have died with the process that wrote it down.
    private func showGivenUp(by outbox: any OutboxDriving) async {
        guard launch.number > 1 else { return }
        do {
            for letter in try await outbox.givenUp() {
                launch.outboxObserver(
                    .deadLettered(
                        identity: letter.intent.identity,
                        letter.reason,
                        mayHaveTakenEffect: letter.mayHaveTakenEffect
                    )
                )
            }
        } catch {
            launch.log("what was given up cannot be read: \(error)")
        }
    }

    /// Hands the action to the module that it is for.
    package func perform(_ action: AppAction) async throws {
        switch action {
        case .enqueue(let intent):
            try await needed(outbox)
                .enqueue(intent, writingLocally: Conversation.show(intent.identity))
        case .upload(let source):
            try await needed(uploader).upload(source)
        case .cancelUpload(let identity):
            try await needed(uploader).cancel(identity)
        case .call(let call):
            let began = launch.environment.clock.now
            asking.withLock { $0 += 1 }
            defer {
                asking.withLock { $0 -= 1 }
                if call.isAwaited { launch.waited(launch.environment.clock.now - began) }
            }
            try await caller.perform(call)
        case .tap(let tap):
            try await tap(self)
        case .insert(let insertion):
            launch.waited(try await needed(rows).insert(insertion))
            let count = insertion.rows
            launch.log(
                "\(count) row\(count == 1 ? " is" : "s are") committed to \(RowInsertion.database)"
            )
        }
    }

    private func needed<Module>(_ module: Module?) -> Module {
        guard let module else {
            preconditionFailure("a workload asks for what its app has no module for, see AppNeeds")
        }
        return module
    }
}
