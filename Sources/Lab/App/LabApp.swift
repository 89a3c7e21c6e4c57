import ClientModules

/// An app as the lab runs it: made anew at every launch, driven by the workload.
package protocol LabApp: AnyObject, Sendable {
    /// Does the app's own work until its process ends: drains queues, goes on with uploads.
    func run() async
    /// Does what the person asked for.
    ///
    /// Returning is the promise made to the person; throwing tells them that it was not done.
    func perform(_ action: AppAction) async throws
    /// The person signed in again.
    func signIn(_ signIn: SessionSignIn) async
    /// Where its screen gets pictures; nil for an app without any.
    var images: (any ImageLoading)? { get }
}

extension LabApp {
    /// An app that nobody signs in to.
    package func signIn(_ signIn: SessionSignIn) async {}
    /// No pictures.
    package var images: (any ImageLoading)? { nil }
}

/// What a person can ask of the built-in app.
package enum AppAction: Sendable {
    /// Say or change something that the server has to hear of.
    case enqueue(OutboxIntent)
    /// Upload a file.
    case upload(UploadSource)
    /// Take an upload back, by its identity.
    case cancelUpload(String)
    /// Ask the server and wait for the answer, without an outbox.
    case call(PlainCall)
    /// What a test of one's own module does.
    case tap(@Sendable (any LabApp) async throws -> Void)
    /// Write rows to a database of the app's own.
    case insert(RowInsertion)
}

/// Makes the app at every launch, also after a kill.
package typealias AppFactory = @Sendable (LaunchContext) throws -> any LabApp
