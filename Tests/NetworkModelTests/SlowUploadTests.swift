import Quantities
import Testing
import Trace

@testable import NetworkModel

/// Uploads on a line so slow that a lost packet waits in its queue for longer than the idle time.
@Suite struct SlowUploadTests {
    // At 25 kbit/s a full packet takes 0.48 s. The queue holds 100: 48 s. What is lost at its tail is sent again
    // behind all of them, and for as long the stream stands still at the gap, although packets arrive. 1 MB takes
    // 320 s and a twentieth more for heads.
    @Test(arguments: HTTPClientSettings.ApplicationProtocol.allCases)
    func `an upload that moves is not broken off`(
        spoken: HTTPClientSettings.ApplicationProtocol
    ) throws {
        var settings = HTTPClientSettings.exact
        settings.applicationProtocol = spoken
        let world = TestWorld(
            .plain(rate: .kilobitsPerSecond(25)),
            settings: settings
        )
        world.send("POST", "/", body: 1_000_000, idleTimeout: .seconds(30))
        world.run(400)
        #expect(world.events.failures.isEmpty)
        #expect(world.events.statuses == [200])
        #expect(world.server.bytesReceived == 1_000_000)
        // Without a loss the test would show nothing.
        #expect(!world.log.losses.isEmpty)
    }
}
