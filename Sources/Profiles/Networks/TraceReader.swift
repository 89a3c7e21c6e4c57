import NetworkModel
import Quantities

/// Reads a recording of a link's rate: delivery opportunities as mahimahi has them, or `time,Mbps`.
///
/// A file whose first line has a comma, a tab or a space holds times and rates; any other holds one
/// whole number of milliseconds a line. Both are read strictly, for each of these mistakes is read by
/// some tool as something else: every error names its line and what to do.
package struct TraceReader {
    /// After so many errors the rest of the file is not looked at.
    static let mostErrors = 20
    /// About 31 years, so that no sum of time stamps overflows.
    static let latestMillisecond: Int64 = 1_000_000_000_000

    private let path: String
    private var problems: [ProfileProblem] = []

    /// Reads the bytes of a file; throws all its errors together.
    package static func schedule(
        bytes: [UInt8],
        path: String
    ) throws(ProfileError) -> RateSchedule {
        var reader = TraceReader(path: path)
        let schedule = reader.read(bytes)
        guard reader.problems.isEmpty, let schedule else {
            throw ProfileError(problems: reader.problems)
        }
        return schedule
    }

    private init(path: String) {
        self.path = path
    }

    private mutating func read(_ bytes: [UInt8]) -> RateSchedule? {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        // What follows the last line's end is no line.
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard let first = lines.first else {
            fail(0, "the trace is empty", "write one delivery opportunity a line, in milliseconds")
            return nil
        }
        if let index = lines.firstIndex(where: { $0.last == 0x0D }) {
            fail(
                index + 1,
                "the line ends with CR LF",
                "end lines with LF alone: sed -i 's/\\r$//' \(path)"
            )
            return nil
        }
        let separators: [UInt8] = [0x2C, 0x09, 0x20]
        guard first.contains(where: separators.contains) else { return opportunities(lines) }
        return rates(lines)
    }

    private mutating func fail(_ line: Int, _ what: String, _ remedy: String) {
        let place =
            line == 0
            ? SourceLocation(path: path) : SourceLocation(path: path, line: line, column: 1)
        problems.append(ProfileProblem(at: place, what, remedy: remedy))
    }

    private mutating func refusesBlank(_ line: ArraySlice<UInt8>, _ number: Int) -> Bool {
        guard line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return false }
        fail(number, "the line is blank", "remove it")
        return true
    }

    // MARK: Delivery opportunities

    private mutating func opportunities(_ lines: [ArraySlice<UInt8>]) -> RateSchedule? {
        var instants: [Int64] = []
        instants.reserveCapacity(lines.count)
        for (index, line) in lines.enumerated() {
            guard problems.count < Self.mostErrors else { return nil }
            guard !refusesBlank(line, index + 1), let instant = millisecond(line, index + 1) else {
                continue
            }
            if let last = instants.last, instant < last {
                fail(
                    index + 1,
                    "the time stamp \(instant) comes after \(last)",
                    "time stamps never decrease; sort the file or cut it here"
                )
                continue
            }
            instants.append(instant)
        }
        if instants.last == 0 {
            fail(
                lines.count,
                "the last time stamp is 0, and it is the trace's period",
                "end with the millisecond at which the trace begins again"
            )
        }
        return problems.isEmpty ? .opportunities(instants) : nil
    }

    private mutating func millisecond(_ line: ArraySlice<UInt8>, _ number: Int) -> Int64? {
        var value: Int64 = 0
        var isWhole = !line.isEmpty && line.count <= 13
        for byte in line where isWhole {
            guard byte >= 0x30, byte <= 0x39 else {
                isWhole = false
                break
            }
            value = value * 10 + Int64(byte - 0x30)
        }
        if isWhole, value <= Self.latestMillisecond { return value }
        let text = String(decoding: line.prefix(40), as: UTF8.self)
        if Double(text) != nil, text.contains(where: { ".eE".contains($0) }) {
            fail(
                number,
                "'\(text)' is not a whole number",
                "write whole milliseconds; a time and a rate stand as 'seconds,Mbps'"
            )
        } else {
            fail(
                number,
                "'\(text)' is not a time stamp in milliseconds",
                "write digits only, 0 to \(Self.latestMillisecond); no header, no comment"
            )
        }
        return nil
    }

    // MARK: Times and rates

    private mutating func rates(_ lines: [ArraySlice<UInt8>]) -> RateSchedule? {
        var steps: [RateSchedule.Step] = []
        for (index, line) in lines.enumerated() {
            guard problems.count < Self.mostErrors else { return nil }
            guard !refusesBlank(line, index + 1), let step = step(line, index + 1) else { continue }
            if let last = steps.last, step.from <= last.from {
                fail(
                    index + 1,
                    "the time stamp \(step.from.compactText) does not come after "
                        + last.from.compactText,
                    "each line is later than the one above it; sort the file or cut it here"
                )
                continue
            }
            if steps.isEmpty, problems.isEmpty, step.from != .zero {
                fail(
                    index + 1,
                    "the trace begins at \(step.from.compactText)",
                    "let the first line be at 0: subtract its time stamp from all"
                )
            }
            steps.append(step)
        }
        guard problems.isEmpty else { return nil }
        guard steps.contains(where: { $0.rate.bitsPerSecond > 0 }) else {
            fail(0, "every rate is 0: nothing ever passes", "write at least one rate above 0")
            return nil
        }
        guard steps.count > 1 else { return .constant(steps[0].rate) }
        let last = steps[steps.count - 1].from
        return .repeatedSteps(steps, period: last + (last - steps[steps.count - 2].from))
    }

    private mutating func step(
        _ line: ArraySlice<UInt8>,
        _ number: Int
    ) -> RateSchedule.Step? {
        let text = String(decoding: line.prefix(80), as: UTF8.self)
        let fields = text.split(omittingEmptySubsequences: true) { ", \t".contains($0) }
        guard fields.count == 2 else {
            fail(
                number,
                "'\(text)' has \(fields.count) column\(fields.count == 1 ? "" : "s")",
                "write two: seconds, then Mbps"
            )
            return nil
        }
        guard let time = DecimalText.scaled(fields[0], digits: 9) else {
            fail(
                number,
                "'\(fields[0])' is not a time in seconds",
                "write a decimal of 0 or more, such as 12.5; no header, no comment"
            )
            return nil
        }
        guard let rate = DecimalText.scaled(fields[1], digits: 6) else {
            fail(
                number,
                "'\(fields[1])' is not a rate in Mbps",
                "write a decimal of 0 or more, such as 4.04"
            )
            return nil
        }
        return RateSchedule.Step(from: .nanoseconds(time), rate: BitRate(bitsPerSecond: rate))
    }
}

/// Decimal numbers as text, without floating point.
enum DecimalText {
    /// `text` x 10^`digits`, cut after the last digit; nil if it is no decimal of zero or more.
    static func scaled(_ text: some StringProtocol, digits: Int) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        let whole = parts[0]
        let fraction = parts.count > 1 ? parts[1] : ""
        let isDecimal = (whole + fraction).utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        guard isDecimal, !whole.isEmpty, parts.count == 1 || !fraction.isEmpty else { return nil }
        var shown = String(fraction.prefix(digits))
        shown += String(repeating: "0", count: digits - shown.count)
        return Int64(whole + shown)
    }

    /// A count of 10^-`digits`, written without trailing zeros: `text(1_500, digits: 3)` is "1.5".
    static func text(_ value: Int64, digits: Int) -> String {
        var fraction = String(value.magnitude % scale(digits) + scale(digits)).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        let sign = value < 0 ? "-" : ""
        let whole = "\(sign)\(value.magnitude / scale(digits))"
        return fraction.isEmpty ? whole : "\(whole).\(fraction)"
    }

    private static func scale(_ digits: Int) -> UInt64 {
        (0..<digits).reduce(1) { power, _ in power * 10 }
    }
}
