import Quantities
import Testing

@testable import ServerModel

@Suite struct HTTPDateTests {
    // RFC 9110, 5.6.7, example; the seconds by `date -u -d '1994-11-06 08:49:37' +%s`. The others by
    // counting: 1970 begins at zero; 2000-02-29 is day 11,016 (30 years x 365 + 7 leap days + 59),
    // and 11,016 x 86,400 = 951,782,400; the world begins at 1,767,600,000.
    static let examples: [(Int64, String)] = [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_767_600_000, "Mon, 05 Jan 2026 08:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ]

    @Test(arguments: examples)
    func `dates are written as the standard writes them`(seconds: Int64, text: String) {
        #expect(HTTPDate.text(WallInstant(nanosecondsSince1970: seconds * 1_000_000_000)) == text)
    }

    @Test(arguments: examples)
    func `dates are read`(seconds: Int64, text: String) {
        #expect(HTTPDate.read(text)?.secondsSince1970 == seconds)
    }

    @Test func `a fraction of a second is cut, or rounded up on request`() {
        let reading = WallInstant(nanosecondsSince1970: 1)
        #expect(HTTPDate.text(reading) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(reading, roundingUp: true) == "Thu, 01 Jan 1970 00:00:01 GMT")
        let early = WallInstant(nanosecondsSince1970: -1)
        #expect(HTTPDate.text(early) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.text(early, roundingUp: true) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }

    @Test(arguments: [
        "", "Mon, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Mon, 30 Feb 2026 08:00:00 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "120",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    ])
    func `other forms and wrong dates are refused`(text: String) {
        #expect(HTTPDate.read(text) == nil)
    }
}
