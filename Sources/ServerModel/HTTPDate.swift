import Quantities

/// Dates as HTTP writes them: `Mon, 05 Jan 2026 08:00:00 GMT` (RFC 9110, 5.6.7, IMF-fixdate).
package enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date of `reading`, cut to the second; with `roundingUp`, never before it.
    package static func text(_ reading: WallInstant, roundingUp: Bool = false) -> String {
        var seconds = reading.secondsSince1970
        let isWhole = reading.nanosecondsSince1970 % 1_000_000_000 == 0
        if roundingUp, !isWhole { seconds += 1 }
        let day = floorDivide(seconds, 86_400)
        let rest = seconds - day * 86_400
        let date = civil(day)
        // 1970-01-01 was a Thursday.
        let weekday = days[Int(((day + 3) % 7 + 7) % 7)]
        let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0, 2) }
        return "\(weekday), \(padded(date.day, 2)) \(months[Int(date.month) - 1]) "
            + "\(padded(date.year, 4)) \(clock.joined(separator: ":")) GMT"
    }

    /// Reads an IMF-fixdate; nil for anything else, the obsolete forms too.
    package static func read(_ text: String) -> WallInstant? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
            days.contains(String(parts[0].dropLast())), parts[1].utf8.count == 2,
            let day = digits(parts[1]), let month = months.firstIndex(of: String(parts[2])),
            parts[3].utf8.count == 4, let year = digits(parts[3])
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, clock.allSatisfy({ $0.utf8.count == 2 }),
            let hour = digits(clock[0]), let minute = digits(clock[1]),
            let second = digits(clock[2]), hour < 24, minute < 60, second <= 60
        else { return nil }
        let number = dayNumber(year: year, month: Int64(month) + 1, day: day)
        guard civil(number) == (year, Int64(month) + 1, day) else { return nil }
        guard days[Int(((number + 3) % 7 + 7) % 7)] == parts[0].dropLast() else { return nil }
        let seconds = number * 86_400 + hour * 3_600 + minute * 60 + second
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? nil : WallInstant(nanosecondsSince1970: nanoseconds)
    }

    private static func digits(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    /// Days since 1970-01-01 to a date of the Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day comes last, in eras of 400 years, which
    /// have 146,097 days.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let leaps = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leaps) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth)
    }

    private static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = floorDivide(shiftedYear, 400)
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
