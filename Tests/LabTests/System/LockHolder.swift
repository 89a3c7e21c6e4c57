import ClientModules
import Lab
import SQLiteStore

/// An app that leaves a transaction open across a wait, as no app should.
enum LockHolder {
    static let factory: AppFactory = { launch in
        let environment = launch.environment
        return ScriptedApp {
            guard launch.number == 1 else { return }
            do {
                let connection = try SQLiteConnection(
                    path: environment.directory + "/held.sqlite",
                    vfs: environment.sqliteVFS
                )
                try connection.executeScript("CREATE TABLE IF NOT EXISTS note (body TEXT)")
                try connection.executeScript("BEGIN IMMEDIATE; INSERT INTO note VALUES ('x')")
                try await environment.clock.sleep(for: .seconds(100))
                try connection.executeScript("COMMIT")
            } catch {
                launch.log("\(error)")
            }
        }
    }
}
