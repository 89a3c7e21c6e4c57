import ClientModules
import Lab

/// What your module is given at each launch of the app, also after a kill.
public struct Launch: Sendable {
    /// An HTTP client in the shape of URLSession.
    public let http: SimulatedHTTP
    /// The ports of Onebar's own client modules: clock, files, path, signals, random numbers.
    public let environment: ClientEnvironment
    /// The launch, counted from one: 1 is a fresh install, higher ones follow a kill.
    public let number: Int
    private let context: LaunchContext

    init(_ context: LaunchContext) {
        self.context = context
        environment = context.environment
        number = context.number
        http = SimulatedHTTP(environment: context.environment)
    }

    /// The path of a file of the app on the simulated phone.
    ///
    /// SQLite opens it there by itself: the phone's VFS is the default one while the app runs.
    /// Plain files are read and written through `environment.files`; `FileManager` would reach the
    /// real disk.
    public func file(_ name: String) -> String {
        "\(environment.directory)/\(name)"
    }

    /// Writes a line to the app's log: it appears in the story of a failure.
    public func log(_ line: String) {
        context.log(line)
    }

    /// Reports a figure of your own, such as `search.keystroke_to_result_ms`.
    public func measure(_ name: String, _ value: Double) {
        context.measured(name, value)
    }
}
