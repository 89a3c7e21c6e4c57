import ClientModules
import Profiles
import SimulationKernel

/// What an app is given at a launch: its surroundings, its settings, and whom to tell.
package struct LaunchContext: Sendable {
    /// Ports for client modules, and where files go.
    package var environment: ClientEnvironment
    /// The settings of the profile.
    package let configuration: AppConfiguration
    /// The launch, counted from one: 1 is a fresh install.
    package let number: Int
    /// What the workload asks of the app: what an app does without it need not run.
    package let needs: AppNeeds
    /// Turns files into bitmaps, at the phone's cost.
    package let decoder: any ImageDecoder
    /// Where the server is.
    package let server: ServerAddress
    /// How the person signed in last; nil where the server asks for no tokens.
    package let signIn: SessionSignIn?
    /// Takes what a session says, for the record.
    package let sessionObserver: @Sendable (SessionEvent) -> Void
    /// Takes what an outbox says, for the record.
    package let outboxObserver: @Sendable (OutboxEvent) -> Void
    /// Takes what an uploader says, for the record.
    package let uploadObserver: @Sendable (UploadEvent) -> Void
    /// Takes what the app's own database says, for the record.
    package let rowObserver: @Sendable (RowEvent) -> Void
    /// Takes the identity of something that the person sees as said after a relaunch.
    package let shown: @Sendable (String) -> Void
    /// Takes how long the person had to wait for something.
    package let waited: @Sendable (Duration) -> Void
    /// Takes a figure of the app's own, by name.
    package let measured: @Sendable (String, Double) -> Void
    /// Takes a guarantee of the test's own that broke: its name, what happened, and to whom.
    package let broke: @Sendable (_ name: String, _ message: String, _ subject: String) -> Void
    /// Whether the launch can still do and tell anything.
    package let canAct: @Sendable () -> Bool
    /// Takes a line of the app's log.
    package let log: @Sendable (String) -> Void
}
