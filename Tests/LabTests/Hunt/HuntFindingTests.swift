import Lab
import Measurements
import Profiles
import SimulationKernel
import Testing

/// Plans that long hunts found against the shipped modules or their judge, kept since they were mended.
@Suite struct HuntFindingTests {
    /// What the plan does to the app of the shipped modules; each of its faults has to strike, but for those which have
    /// to be absorbed.
    private static func run(_ text: String, absorbing absorbed: Set<Int> = []) throws -> SeedRun {
        try HashingCheck.require(line: "scripts/test")
        let plan = try FaultPlanReader.read(text: text, path: "finding.plan.json")
        var options = SeedRunner.Options()
        options.plan = plan.faults
        let run = try SeedRunner(
            scenario: try LabRuns.scenario(plan.profile),
            setup: WorldSetup(app: MessengerApp.factory)
        ).run(seed: plan.seed, options: options)
        let fates = run.result.faults.suffix(plan.faults.count)
        #expect(fates.count == plan.faults.count)
        for (index, fate) in fates.enumerated() {
            #expect((absorbed.contains(index) ? fate.absorbed : fate.fired) > 0, "\(fate)")
        }
        return run
    }

    /// An outbox had written down that a message was refused, and was killed before it could say so.
    @Test func `what was given up is told at the next start if a kill swallowed it`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 11,
              "faults": [
                { "fault": "server.error", "nth": 1, "status": 422, "identity": "m2", "times": "all" },
                { "fault": "process.kill", "in": "write", "of": "uploads.sqlite-wal", "nth": 4,
                  "launch": 2, "side": "after", "relaunch": "2s" },
                { "fault": "process.kill", "in": "write", "of": "outbox.sqlite-wal", "nth": 9,
                  "launch": 3, "side": "after", "relaunch": "2s" },
                { "fault": "response.lost", "nth": 5, "after_bytes": 40, "then": "blackhole" },
                { "fault": "process.kill", "during": "outbox.commit", "nth": 7, "effect": 2,
                  "relaunch": "2s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
        // The attempt before the refused one had no answer, so nobody knows.
        #expect(run.counts.unknown == 1)
        // Once, though every later start shows it again.
        #expect(run.result.value(of: MetricName("outbox.dead_lettered")) == 1)
    }

    /// A kill before the sync of a commit, a launch that showed what it recovered, and no power.
    @Test func `a message that a launch recovered and showed outlives a loss of power`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "two-messages", "seed": 6,
              "faults": [
                { "fault": "process.kill", "in": "sync", "of": "outbox.sqlite-wal", "nth": 4,
                  "launch": 1, "side": "before", "relaunch": "2s" },
                { "fault": "power.loss", "in": "write", "of": "outbox.sqlite-wal", "nth": 1,
                  "launch": 2, "side": "after", "relaunch": "2s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The server asked for ten seconds; another process held the database until the app was killed.
    @Test func `a wait that nothing could store is not held against the app`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 2,
              "faults": [
                { "fault": "database.busy", "after": "database.commit", "nth": 6,
                  "database": "uploads.sqlite", "for": "8s" },
                { "fault": "process.kill", "during": "outbox.commit", "nth": 6, "effect": 2,
                  "relaunch": "2s" },
                { "fault": "process.kill", "in": "sync", "of": "outbox.sqlite-wal", "nth": 1,
                  "launch": 1, "side": "before", "relaunch": "2s" },
                { "fault": "server.unavailable", "at": "933489797ns", "status": 503,
                  "retry_after": "10s", "for": "5s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// A phone made of a backup from before a message, then one of a backup that its first phone had made after it.
    @Test func `a message that an older backup brings back has no place in the order`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 18,
              "faults": [
                { "fault": "request.lost", "nth": 1, "then": "blackhole" },
                { "fault": "backup.restored", "after": "response.received", "nth": 3,
                  "taken": "1389917476ns", "relaunch": "5s" },
                { "fault": "backup.restored", "after": "response.received", "nth": 2,
                  "taken": "13260394ns", "relaunch": "5s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The backup has the first of two taps on a like; the phone sent the second before it was replaced.
    @Test func `a tap that the backup has does not come after one that it lacks`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "commute", "seed": 19,
              "faults": [
                { "fault": "backup.restored", "after": "response.received", "nth": 70,
                  "taken": "90302475881ns", "relaunch": "5s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The same screen asked twice at once; the second question was on its way when the 429 to the first came.
    @Test func `a question that was under way when another was refused is not blamed`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "session", "seed": 6,
              "faults": [
                { "fault": "process.kill", "in": "write", "of": "outbox.sqlite-wal", "nth": 5,
                  "launch": 1, "side": "after", "relaunch": "2s" },
                { "fault": "disk.locked", "after": "database.commit", "nth": 3, "for": "10s" },
                { "fault": "server.error", "nth": 2, "status": 429, "retry_after": "5s", "times": 1,
                  "stage": "before_processing" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// Asked once more, told that the first try had failed, promised the second, asked once more again.
    @Test func `an upload that is there ends every promise that was open for it`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 13,
              "faults": [
                { "fault": "upload.retry", "after": "request.sent", "nth": 4, "of": "file-1" },
                { "fault": "upload.retry", "after": "database.commit", "nth": 11, "of": "file-1" },
                { "fault": "source.changed", "after": "request.sent", "nth": 2, "of": "file-1" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// A phone out of a backup, asked twice once more before it had said that the transfer under way was unknown.
    @Test func `promises made after a failure was told are all ended by the next end`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 13,
              "faults": [
                { "fault": "backup.restored", "after": "response.received", "nth": 3,
                  "taken": "1044639897ns", "relaunch": "5s" },
                { "fault": "upload.retry", "after": "database.commit", "nth": 11, "of": "file-1" },
                { "fault": "upload.retry", "after": "database.commit", "nth": 12, "of": "file-1" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// Asked once more before a failure was told, and again after it, while the first had not been decided.
    @Test func `what is asked for beside an undecided retry does not close it`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 4,
              "faults": [
                { "fault": "source.changed", "after": "request.sent", "nth": 2, "of": "file-1" },
                { "fault": "upload.retry", "after": "database.commit", "nth": 11, "of": "file-1" },
                { "fault": "upload.retry", "after": "database.commit", "nth": 12, "of": "file-1" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// Another process looked at the app's last commits before the app was killed; they had said that it told the end.
    @Test func `what an app told before its death as others saw it was told`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "messages-and-upload", "seed": 3,
              "faults": [
                { "fault": "process.second", "after": "database.commit", "nth": 11, "for": "90s" },
                { "fault": "process.kill", "after": "database.commit", "nth": 12, "relaunch": "10s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The app runs ahead of the world: as another process locked the database, a rollback journal lay beside it.
    @Test func `nobody has the lock of a database whose rollback journal is hot`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "two-messages", "seed": 18,
              "faults": [
                { "fault": "database.busy", "after": "app.launched", "nth": 1,
                  "database": "outbox.sqlite", "for": "5s" },
                { "fault": "process.kill", "during": "outbox.commit", "nth": 3, "effect": 1,
                  "relaunch": "2s" },
                { "fault": "process.kill", "in": "sync", "of": "outbox.sqlite", "nth": 1,
                  "launch": 1, "side": "after", "relaunch": "2s" }
              ]
            }
            """,
            absorbing: [0]
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The 503 was in the socket while SQLite kept the app's threads waiting; then another screen asked first.
    @Test func `an answer that the app's code has not seen asks nobody to wait`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "session", "seed": 6,
              "faults": [
                { "fault": "server.error", "nth": 9, "status": 503, "retry_after": "5s", "times": 1, "stage": "before_processing" },
                { "fault": "database.busy", "after": "request.sent", "nth": 7, "database": "uploads.sqlite", "for": "8s" },
                { "fault": "server.error", "nth": 3, "status": 429, "retry_after": "5s", "times": 1, "stage": "before_processing" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// A HEAD of a process that died lay in a socket through a silence; it came while the next process's PATCH went on.
    @Test func `a request out of the socket of a dead process is nobody's haste`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "elevator", "seed": 1,
              "faults": [
                { "fault": "process.kill", "during": "outbox.commit", "nth": 18, "effect": 1,
                  "relaunch": "2s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// An extension began in the middle of a long transfer, whose next piece took longer than the claim that it found.
    @Test func `a piece that takes longer than a claim stays with its process`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "commute", "seed": 19,
              "faults": [
                { "fault": "process.second", "after": "request.sent", "nth": 47, "for": "90s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The path had changed a second before, and the transfer was given time to show that it lives.
    @Test func `an upload that is taken back ends at once after a change of the path too`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "airplane-mode", "seed": 11,
              "faults": [
                { "fault": "network.down", "after": "database.commit", "nth": 65, "for": "1s" },
                { "fault": "upload.cancel", "after": "database.commit", "nth": 70, "of": "photo-1" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// Asked for once more, the file went as another transfer; the backup has the first one, which was not as far.
    @Test func `progress of an upload that the backup lacks is not held against the phone`() throws
    {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "elevator", "seed": 15,
              "faults": [
                { "fault": "upload.retry", "after": "response.received", "nth": 29, "of": "video-1" },
                { "fault": "backup.restored", "after": "response.received", "nth": 47, "taken": "64234656911ns", "relaunch": "5s" },
                { "fault": "backup.restored", "after": "response.received", "nth": 13, "taken": "80112002893ns", "relaunch": "5s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The file was replaced while the session asked for another token, between the 401 to a piece and its repetition.
    @Test func `a piece of another file is not sent with the second token`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "session", "seed": 15,
              "faults": [
                { "fault": "token.expired", "after": "request.sent", "nth": 10 },
                { "fault": "process.kill", "during": "outbox.commit", "nth": 2, "effect": 13,
                  "relaunch": "2s" },
                { "fault": "process.kill", "in": "write", "of": "outbox.sqlite-wal", "nth": 6,
                  "launch": 1, "side": "after", "relaunch": "2s" },
                { "fault": "source.changed", "after": "response.received", "nth": 11, "of": "file-1" },
                { "fault": "process.kill", "in": "sync", "of": "session.sqlite-wal", "nth": 1,
                  "launch": 2, "side": "before", "relaunch": "2s" },
                { "fault": "process.kill", "in": "write", "of": "outbox.sqlite-wal", "nth": 4,
                  "launch": 3, "side": "after", "relaunch": "2s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// Rows that came back on the screen asked for their pictures at once, whatever the server had said.
    @Test func `pictures that are shown again heed a 503`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "low-memory-fling", "seed": 18,
              "faults": [
                { "fault": "server.unavailable", "at": "306499867603ns", "status": 503, "retry_after": "10s", "for": "5s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The connection was reset, and the transport sent the request, a PUT, once more on another one.
    @Test func `a request that the transport repeats is not held against the app`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "commute", "seed": 3,
              "faults": [
                { "fault": "disk.full", "after": "server.effect", "nth": 12, "free": "0B", "for": "15s" },
                { "fault": "connection.reset", "after": "database.commit", "nth": 188 }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The outbox had set out to send a like, which the next one replaced; its row's number went to the second of
    /// two messages, and that was sent in its place.
    @Test func `a message under the number of a row that is gone keeps its place`() throws {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "mixed", "seed": 11,
              "faults": [
                { "fault": "process.kill", "after": "database.commit", "nth": 16, "relaunch": "10s" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }

    /// The app looked at the file and sent it in one instant; the lab put another file in its place in between.
    @Test func `a file that is looked at and sent in one instant is not replaced within it`() throws
    {
        let run = try Self.run(
            """
            {
              "format": "onebar.plan/1", "profile": "mixed", "seed": 17,
              "faults": [
                { "fault": "source.changed", "after": "request.sent", "nth": 7, "of": "file-1" }
              ]
            }
            """
        )
        #expect(run.result.breaches.map(\.message) == [])
    }
}
