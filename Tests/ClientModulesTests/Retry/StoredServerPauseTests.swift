import ClientModules
import Foundation
import Testing

/// The first answer, 0.1 s after the first launch, asks to be left alone for 20 s: until 20.1 s.
///
/// The first boot's clock begins at 1,000 s, a later one's at 5 s.
@Suite struct StoredServerPauseTests {
    let phone: TestPhone

    init() throws {
        phone = try TestPhone()
        phone.transport.serve { _, count in
            count == 1
                ? .answer(503, [HTTPHeader("Retry-After", "20")], after: .milliseconds(100))
                : .answer(200, after: .milliseconds(100))
        }
    }

    /// Opens the stored pause of a launch and lets it run.
    func open(heard: Heard<String> = Heard()) throws -> SharedServerPause {
        let environment = phone.environment
        let retry = RetryPolicy(base: .seconds(1), ceiling: .seconds(8), jitter: .none)
        let stored = try phone.perform {
            try StoredServerPause(environment: environment, retry: retry) { heard.hear($0) }
        }
        phone.start { await stored.run() }
        return stored.pause
    }

    /// Makes a call of one attempt; returns the instant of the answer on the monotonic clock.
    func call(_ pause: SharedServerPause) throws -> Heard<Duration> {
        let clock = phone.clock
        let retrier = Retrier(
            environment: phone.environment,
            policy: RetryPolicy(maximumAttempts: 1),
            pause: pause
        )
        let request = HTTPRequest(
            method: "GET",
            url: try #require(URL(string: "https://api.example/x"))
        )
        let answered = Heard<Duration>()
        phone.start {
            if (try? await retrier.send(request)) != nil {
                answered.hear(clock.now)
            }
        }
        return answered
    }

    var file: String { phone.folder + "/pause.sqlite" }

    // The second launch begins at 1 s; its call is answered 0.1 s after 20.1 s.
    @Test func `a relaunched app leaves the server alone as long as it asked`() throws {
        _ = try call(open())
        phone.pass(.seconds(1))
        phone.launch()
        let answered = try call(open())
        phone.pass(.seconds(60))
        #expect(answered.all == [.milliseconds(1_020_200)])
        #expect(phone.transport.seen.count == 2)
    }

    // Without the store: at once.
    @Test func `a pause that nothing stores dies with the process`() throws {
        _ = try call(SharedServerPause())
        phone.pass(.seconds(1))
        phone.launch()
        let answered = try call(SharedServerPause())
        phone.pass(.seconds(60))
        #expect(answered.all == [.milliseconds(1_001_100)])
    }

    // The second launch finds the store of another boot at 5 s of its own: until 25 s, and 0.1 s for the answer.
    // The third, at 10 s of the same boot, finds what is left of that.
    @Test func `after a boot the whole wait begins anew, once`() throws {
        _ = try call(open())
        phone.pass(.seconds(5))
        phone.clock.reboot(after: .zero)
        phone.launch()
        _ = try open()
        phone.pass(.seconds(5))
        phone.launch()
        let answered = try call(open())
        phone.pass(.seconds(60))
        #expect(answered.all == [.milliseconds(25_100)])
    }

    // Stored at 0.1 s for 20 s; gone at 20.1 s, so that a boot at 30 s finds nothing to begin anew.
    @Test func `what is over is taken out of the store`() throws {
        _ = try call(open())
        phone.pass(.seconds(30))
        phone.clock.reboot(after: .zero)
        phone.launch()
        let answered = try call(open())
        phone.pass(.seconds(60))
        #expect(answered.all == [.milliseconds(5_100)])
    }

    // Answered at 0.1 s and 0.3 s; what is asked for until about 20 s neither replaces the other nor takes it away.
    @Test(arguments: [([20, 60], 1_060_400), ([60, 20], 1_060_200)])
    func `the longer pause of two processes outlives both`(asked: [Int], answeredAt: Int) throws {
        phone.transport.serve { _, count in
            count <= 2
                ? .answer(503, [HTTPHeader("Retry-After", "\(asked[count - 1])")])
                : .answer(200)
        }
        let pauses = try [open(), open()]
        for pause in pauses {
            _ = try call(pause)
            phone.pass(.milliseconds(200))
        }
        phone.pass(.seconds(30))
        phone.launch()
        let answered = try call(open())
        phone.pass(.seconds(60))
        #expect(answered.all == [.milliseconds(answeredAt)])
    }

    @Test func `a server that asks for nothing leaves no file`() throws {
        phone.transport.serve { _, _ in .answer(503, after: .milliseconds(100)) }
        _ = try call(open())
        phone.pass(.seconds(60))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    // Refused at 0.1 s, as a folder stands where the file belongs; the next try comes 1 s later.
    @Test func `what the storage refuses is stored as soon as it can be`() throws {
        let heard = Heard<String>()
        let pause = try open(heard: heard)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        _ = try call(pause)
        phone.pass(.milliseconds(500))
        #expect(heard.all.count == 1)
        try FileManager.default.removeItem(atPath: file)
        phone.pass(.milliseconds(700))
        #expect(heard.all.count == 1)
        phone.launch()
        let answered = try call(open())
        phone.pass(.seconds(60))
        #expect(answered.all == [.milliseconds(1_020_200)])
    }
}
