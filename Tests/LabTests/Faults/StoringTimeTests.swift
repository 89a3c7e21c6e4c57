import Quantities
import SimulationKernel
import Testing

@testable import Lab

/// Whether a client had the time to write down what a server asked of it.
@Suite struct StoringTimeTests {
    private func instant(_ seconds: Double) -> SimulationInstant {
        .zero + .milliseconds(Int64(seconds * 1_000))
    }

    /// Refused in these spans, under waits of 60 s at most.
    private func time(_ spans: (Double, Double)...) -> StoringTime {
        StoringTime(
            refusals: spans.map { instant($0.0)...instant($0.1) },
            ceiling: .seconds(60)
        )
    }

    @Test func `a second is time enough where the storage takes it`() {
        #expect(!time().wasEnough(from: instant(2), to: instant(2.9)))
        #expect(time().wasEnough(from: instant(2), to: instant(3)))
    }

    // Heard at 2.2 s, refused from 2.3 s to 10 s: 7.8 s after it was heard. As long again may go by before
    // the next try, 17.8 s, and the second: 18.8 s.
    @Test func `what was refused is no fault until it could have been tried again`() {
        let refused = time((2.3, 10))
        #expect(!refused.wasEnough(from: instant(2.2), to: instant(7.2)))
        #expect(!refused.wasEnough(from: instant(2.2), to: instant(18.7)))
        #expect(refused.wasEnough(from: instant(2.2), to: instant(18.8)))
        // Refused again at 17 s, within those waits: 17 + 14.8 + 1.
        #expect(!time((2.3, 10), (17, 17)).wasEnough(from: instant(2.2), to: instant(32.7)))
        #expect(time((2.3, 10), (17, 17)).wasEnough(from: instant(2.2), to: instant(32.8)))
    }

    // An hour of a full disk ends at 3,600 s: the next try comes within the ceiling, and the second.
    @Test func `a long refusal excuses no longer than the ceiling of the waits`() {
        let hour = time((1, 3_600))
        #expect(!hour.wasEnough(from: instant(0.5), to: instant(3_660.9)))
        #expect(hour.wasEnough(from: instant(0.5), to: instant(3_661)))
    }

    @Test func `a refusal excuses nothing that came long before or after it`() {
        let refused = time((10, 18))
        #expect(refused.wasEnough(from: instant(5), to: instant(11)))
        #expect(refused.wasEnough(from: instant(18.1), to: instant(19.1)))
        #expect(!refused.wasEnough(from: instant(9.5), to: instant(10.6)))
    }
}
