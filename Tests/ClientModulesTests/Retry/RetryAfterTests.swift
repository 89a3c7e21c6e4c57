import Foundation
import Testing

@testable import ClientModules

@Suite struct RetryAfterTests {
    // RFC 9110, 5.6.7 gives one instant in all three formats; 784111777 s is
    // 1994-11-06T08:49:37Z by any calendar (`date -u -d @784111777`).
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `the three formats of a date name one instant`(_ text: String) {
        #expect(HTTPDate.seconds(from: text, reference: 784_111_777) == 784_111_777)
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 1995 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 94 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
    ])
    func `what is no date is not read as one`(_ text: String) {
        #expect(HTTPDate.seconds(from: text, reference: 784_111_777) == nil)
    }

    // 2000-02-29 is a leap day of a century that has one; 951782400 by `date -u`.
    @Test func `leap days of centuries are counted`() {
        let text = "Tue, 29 Feb 2000 00:00:00 GMT"
        #expect(HTTPDate.seconds(from: text, reference: 0) == 951_782_400)
        #expect(HTTPDate.days(year: 1970, month: 1, day: 1) == 0)
        #expect(HTTPDate.days(year: 1969, month: 12, day: 31) == -1)
    }

    // RFC 9110: a two-digit year more than 50 years ahead is the last century's. Seen from 2026,
    // 76 is 2076 and 77 is 1977. 3345062400 and 220924800 by `date -u`.
    @Test func `a two-digit year is of the nearer century`() {
        let in2026: Int64 = 1_780_000_000
        let near = HTTPDate.seconds(from: "Thursday, 01-Jan-76 00:00:00 GMT", reference: in2026)
        let far = HTTPDate.seconds(from: "Saturday, 01-Jan-77 00:00:00 GMT", reference: in2026)
        #expect(near == 3_345_062_400)
        #expect(far == 220_924_800)
    }

    @Test func `seconds and dates are told apart and garbage is neither`() {
        #expect(RetryAfter("120") == .wait(.seconds(120)))
        #expect(RetryAfter(" 0 ") == .wait(.zero))
        #expect(
            RetryAfter("Sun, 06 Nov 1994 08:49:37 GMT") == .date(secondsSince1970: 784_111_777)
        )
        for garbage in ["", "-1", "1.5", "soon", "1e3", "12 s"] {
            #expect(RetryAfter(garbage) == nil, "\(garbage)")
        }
        // A thousand days at most, so that nothing overflows.
        #expect(RetryAfter("99999999999999999999") == .wait(.seconds(86_400_000)))
    }

    func response(_ headers: [HTTPHeader]) -> HTTPResponse {
        HTTPResponse(status: 503, headers: headers)
    }

    // The server says 08:50:37 by its own clock of 08:49:37: 60 s, whatever the device believes.
    @Test(arguments: [0, 784_111_777, 4_000_000_000])
    func `a date is compared with the response's own date, not with the device`(_ device: Int) {
        let wait = RetryAfter.wait(
            askedBy: response([
                HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                HTTPHeader("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT"),
            ]),
            wallTime: Date(timeIntervalSince1970: Double(device))
        )
        #expect(wait == .seconds(60))
    }

    @Test func `a past date asks for nothing and a missing one stands for the device's`() {
        let past = RetryAfter.wait(
            askedBy: response([
                HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                HTTPHeader("Retry-After", "Sun, 06 Nov 1994 08:00:00 GMT"),
            ]),
            wallTime: Date(timeIntervalSince1970: 0)
        )
        #expect(past == .zero)
        let undated = RetryAfter.wait(
            askedBy: response([HTTPHeader("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")]),
            wallTime: Date(timeIntervalSince1970: 784_111_770.9)
        )
        #expect(undated == .seconds(7))
        #expect(RetryAfter.wait(askedBy: response([]), wallTime: Date()) == nil)
    }
}
