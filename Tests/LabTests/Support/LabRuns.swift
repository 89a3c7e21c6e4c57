import Budgets
import ClientModules
import Foundation
import Lab
import Measurements
import Profiles
import SimulationKernel

/// Runs profiles as `onebar run` does, in this process.
enum LabRuns {
    /// The profile of this name under `profiles/`, or of a file beside the tests.
    static func scenario(_ name: String) throws -> Scenario {
        try ScenarioReader.scenario(name)
    }

    /// The profile of this name beside the tests.
    static func testScenario(_ name: String) throws -> Scenario {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Profiles")
        return try ScenarioReader.scenario(folder.appendingPathComponent("\(name).jsonc").path)
    }

    /// The path of the profile of this name beside the tests; nil when there is none.
    static func testProfile(_ name: String) -> String? {
        let path = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Profiles/\(name).jsonc").path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// Runs some seeds and judges them together.
    static func run(
        _ scenario: Scenario,
        seeds: [UInt64] = [1],
        app: @escaping AppFactory = MessengerApp.factory,
        options: SeedRunner.Options = .init()
    ) throws -> ProfileRun {
        try HashingCheck.require(line: "scripts/test")
        let runner = SeedRunner(scenario: scenario, setup: WorldSetup(app: app))
        let results = try seeds.map { try runner.run(seed: $0, options: options).result }
        return ProfileRun(
            profile: scenario.name,
            mode: LabMode.current.rawValue,
            radios: [],
            seeds: results,
            rules: scenario.scenario.budgets.map(\.rule)
        )
    }

    /// The built-in app with another outbox, and the shipped uploader.
    static func app(
        _ outbox: @escaping @Sendable (LaunchContext) throws -> any OutboxDriving
    ) -> AppFactory {
        { launch in
            MessengerApp(
                launch: launch,
                outbox: try outbox(launch),
                uploader: try ChunkedUploader(
                    environment: launch.environment,
                    configuration: launch.configuration.uploadConfiguration(for: launch.server),
                    observer: launch.uploadObserver
                )
            )
        }
    }

    /// The built-in app around outbox and uploader as a team might write them.
    static func twins(_ defects: TwinDefects) -> AppFactory {
        { launch in
            MessengerApp(
                launch: launch,
                outbox: try NaiveOutbox(
                    environment: launch.environment,
                    configuration: launch.configuration.outboxConfiguration(for: launch.server),
                    defects: defects,
                    observer: launch.outboxObserver
                ),
                uploader: try NaiveUploader(
                    environment: launch.environment,
                    configuration: launch.configuration.uploadConfiguration(for: launch.server),
                    defects: defects,
                    observer: launch.uploadObserver
                )
            )
        }
    }

    /// The shipped modules in an app whose plain calls forget what the server asked as the process dies.
    static let forgetfulCaller: AppFactory = { launch in
        let outbox = try Outbox(
            environment: launch.environment,
            configuration: launch.configuration.outboxConfiguration(for: launch.server),
            observer: launch.outboxObserver
        )
        return MessengerApp(launch: launch, outbox: outbox, uploader: nil)
    }

    /// How a launch gets its session.
    typealias MakeSession = @Sendable (LaunchContext, SessionSignIn) throws -> any SessionDriving

    /// The session that ships.
    static let shippedSession: MakeSession = { launch, signIn in
        try Session(
            environment: launch.environment,
            configuration: launch.configuration.sessionConfiguration(for: launch.server),
            signIn: signIn,
            observer: launch.sessionObserver
        )
    }

    /// A session as a team might write it.
    static func naiveSession(_ defects: SessionDefects) -> MakeSession {
        { launch, signIn in
            try NaiveSession(
                environment: launch.environment,
                configuration: launch.configuration.sessionConfiguration(for: launch.server),
                signIn: signIn,
                defects: defects,
                observer: launch.sessionObserver
            )
        }
    }

    /// The built-in app around a session as a team might write it.
    static func session(_ defects: SessionDefects) -> AppFactory {
        { launch in
            try MessengerApp.make(launch) { try naiveSession(defects)(launch, $0) }
        }
    }
}
