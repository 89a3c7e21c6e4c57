/// Reads the three date formats of HTTP (RFC 9110, 5.6.7) without a calendar or a locale.
enum HTTPDate {
    /// Seconds since 1970 of a date in any of the three formats; nil when it is none of them.
    ///
    /// - `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate)
    /// - `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850): a year more than 50 years after `reference`
    ///   counts as the last century's, as the RFC says.
    /// - `Sun Nov  6 08:49:37 1994` (asctime)
    ///
    /// Names of weekdays are not checked against the date: other readers do not either.
    static func seconds(from text: String, reference: Int64) -> Int64? {
        let words = text.split(separator: " ").map(String.init)
        switch words.count {
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            return instant(day: words[1], month: words[2], year: words[3], time: words[4])
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            let date = words[1].split(separator: "-").map(String.init)
            guard date.count == 3, let short = number(date[2], digits: 2) else { return nil }
            let year = fullYear(short, reference: reference)
            return instant(day: date[0], month: date[1], year: "\(year)", time: words[2])
        case 5:
            return instant(day: words[2], month: words[1], year: words[4], time: words[3])
        default:
            return nil
        }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar, by counting leap days.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        // The year begins in March here, so that the leap day is its last.
        let shifted = month > 2 ? year : year - 1
        let monthIndex = (month + 9) % 12
        let dayOfYear = (153 * monthIndex + 2) / 5 + day - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return 365 * shifted + leapDays + dayOfYear - 719_468
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func instant(day: String, month: String, year: String, time: String) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard clock.count == 3,
            let day = number(day, digits: day.count), (1...2).contains("\(day)".count),
            let month = months.firstIndex(of: month),
            let year = number(year, digits: 4), year >= 1,
            let hour = number(clock[0], digits: 2), hour < 24,
            let minute = number(clock[1], digits: 2), minute < 60,
            let second = number(clock[2], digits: 2), second <= 60
        else { return nil }
        let month1 = Int64(month + 1)
        guard (1...lastDay(year: year, month: month1)).contains(day) else { return nil }
        let date = days(year: year, month: month1, day: day)
        return date * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func lastDay(year: Int64, month: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    private static func fullYear(_ short: Int64, reference: Int64) -> Int64 {
        // 31,556,952 s is the mean Gregorian year; off by a day at most, where 50 years decide.
        let present = 1970 + reference / 31_556_952
        let candidate = present - present % 100 + short
        return candidate > present + 50 ? candidate - 100 : candidate
    }

    private static func number(_ text: String, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
