import ClientModules
import Foundation
import Lab

/// What runs in the second process of an app: it asks the server each second, as whoever is signed in.
final class ExtensionApp: LabApp {
    private let session: any SessionDriving
    private let launch: LaunchContext

    private init(_ launch: LaunchContext, _ session: any SessionDriving) {
        self.launch = launch
        self.session = session
    }

    /// The built-in app, and this one in its second process, each with a session of its own on one store.
    static func beside(_ makeSession: @escaping LabRuns.MakeSession) -> AppFactory {
        { launch in
            guard let signIn = launch.signIn, !launch.environment.process.isEmpty else {
                return try MessengerApp.make(launch) { try makeSession(launch, $0) }
            }
            return ExtensionApp(launch, try makeSession(launch, signIn))
        }
    }

    func run() async {
        await withTaskGroup(of: Void.self) { [session, launch] group in
            group.addTask { await session.run() }
            group.addTask {
                let request = HTTPRequest(method: "GET", url: launch.server.url("/feed"))
                while !Task.isCancelled {
                    // What does not come is asked for again.
                    let answer = try? await session.transport.send(
                        request,
                        body: .none,
                        progress: nil
                    )
                    _ = try? await answer?.body()
                    try? await launch.environment.clock.sleep(for: .seconds(1))
                }
            }
        }
    }

    func perform(_ action: AppAction) async throws {
        preconditionFailure("nobody does anything in a second process")
    }
}
