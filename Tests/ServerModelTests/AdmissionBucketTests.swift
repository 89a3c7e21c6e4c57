import Quantities
import Testing

@testable import ServerModel

@Suite struct AdmissionBucketTests {
    @Test func `a tenth of a second's worth goes at once, then one an interval`() {
        // 200/s: a bucket of 20, and one more every 5 ms.
        var bucket = AdmissionBucket(perSecond: 200)
        let start = SimulationInstant.zero
        var admitted: [Int] = []
        // Nothing has come back after 4.999999 ms, one token after 5 ms; ten intervals later ten
        // are there; the bucket never holds more than 20.
        let instants: [Duration] = [
            .zero, .nanoseconds(4_999_999), .milliseconds(5), .milliseconds(55), .seconds(9),
        ]
        for instant in instants {
            admitted.append((0..<50).filter { _ in bucket.admit(at: start + instant) }.count)
        }
        #expect(admitted == [20, 0, 1, 10, 20])
    }

    @Test func `a slow server has a bucket of one`() {
        var bucket = AdmissionBucket(perSecond: 2)
        let admitted = [0, 499, 500, 501].map { bucket.admit(at: .zero + .milliseconds($0)) }
        #expect(admitted == [true, false, true, false])
    }

    @Test func `the long-run rate is the capacity`() {
        // Offered 1,000/s for 10 s at 200/s: 20 from the full bucket, 2,000 more, less the last.
        var bucket = AdmissionBucket(perSecond: 200)
        let admitted = (0..<10_000).filter { bucket.admit(at: .zero + .milliseconds($0)) }.count
        #expect((2_018...2_020).contains(admitted))
    }
}
