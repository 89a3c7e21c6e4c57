import Quantities
import SimulationKernel
import Testing

@testable import Lab

/// Whether a client had the time to write down what a server asked of it.
@Suite struct StorageRefusalTests {
    private func instant(_ seconds: Double) -> SimulationInstant {
        .zero + .milliseconds(Int64(seconds * 1_000))
    }

    @Test func `a second is time enough where the storage takes it`() {
        let none = StorageRefusals()
        #expect(!none.hadTimeToStore(heard: instant(2), death: instant(2.9)))
        #expect(none.hadTimeToStore(heard: instant(2), death: instant(3)))
    }

    // Heard at 2.2 s while another process holds the database from 2 s to 10 s: free after 7.8 s of
    // refusal, and as long again may go by before the next try: 17.8 s, and the second: 18.8 s.
    @Test func `what nothing could store is no fault until it could have been tried again`() {
        var refusals = StorageRefusals()
        refusals.begin(at: instant(2), for: .seconds(8))
        #expect(!refusals.hadTimeToStore(heard: instant(2.2), death: instant(7.2)))
        #expect(!refusals.hadTimeToStore(heard: instant(2.2), death: instant(18.7)))
        #expect(refusals.hadTimeToStore(heard: instant(2.2), death: instant(18.8)))
        // One refusal after the other.
        refusals.begin(at: instant(9), for: .seconds(4))
        #expect(!refusals.hadTimeToStore(heard: instant(2.2), death: instant(20)))
    }

    @Test func `a refusal excuses nothing that came long before or after it`() {
        var refusals = StorageRefusals()
        refusals.begin(at: instant(10), for: .seconds(8))
        #expect(refusals.hadTimeToStore(heard: instant(5), death: instant(11)))
        #expect(refusals.hadTimeToStore(heard: instant(18), death: instant(19)))
        #expect(!refusals.hadTimeToStore(heard: instant(9.5), death: instant(10.6)))
    }
}
