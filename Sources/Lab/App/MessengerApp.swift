import ClientModules
import Profiles
import SQLiteStore

/// The built-in app: a messenger with an outbox for what is said and an uploader for what is shown.
///
/// The modules are those that ship; a test puts others in their place.
package final class MessengerApp: LabApp {
    private let outbox: any OutboxDriving
    private let uploader: any UploadDriving
    private let caller: PlainCaller
    private let environment: ClientEnvironment

    /// Makes the app of one launch around the given modules.
    package init(
        launch: LaunchContext,
        outbox: any OutboxDriving,
        uploader: any UploadDriving
    ) {
        self.outbox = outbox
        self.uploader = uploader
        environment = launch.environment
        caller = PlainCaller(launch: launch)
    }

    /// Makes the app with the shipped modules, set as the profile says.
    package static let factory: AppFactory = { launch in
        MessengerApp(
            launch: launch,
            outbox: try Outbox(
                environment: launch.environment,
                configuration: launch.configuration.outboxConfiguration(for: launch.server),
                observer: launch.outboxObserver
            ),
            uploader: try ChunkedUploader(
                environment: launch.environment,
                configuration: launch.configuration.uploadConfiguration(for: launch.server),
                observer: launch.uploadObserver
            )
        )
    }

    /// Drains the outbox and goes on with uploads until the process ends.
    package func run() async {
        let outbox = outbox
        let uploader = uploader
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await outbox.run() }
            group.addTask { await uploader.run() }
        }
    }

    /// Hands the action to the module that it is for.
    package func perform(_ action: AppAction) async throws {
        switch action {
        case .enqueue(let intent):
            try await outbox.enqueue(intent)
        case .upload(let source):
            try await uploader.upload(source)
        case .call(let call):
            try await caller.perform(call)
        case .insert(let insertion):
            try insertion.perform(in: environment)
        }
    }
}
